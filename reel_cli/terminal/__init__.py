"""The command line: app, console, options, exchanges at the terminal."""
