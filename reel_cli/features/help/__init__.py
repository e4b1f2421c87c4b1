"""`reel help`: commands by how often they are needed, and the words of the screen explained."""
