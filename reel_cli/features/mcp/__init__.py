"""`reel mcp`: the kit as a server for MCP clients."""
