"""`--via`: exchanges with a server that speaks as OpenAI's does."""
