"""Prompts over a wire: a server that speaks as OpenAI's does, asked as a chat window would be."""
