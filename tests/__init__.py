"""The tests of `reel`: one module a module, and transcripts of whole commands."""
