"""The programs that people really use with reel, installed, run, and compared with what reel says of them."""
