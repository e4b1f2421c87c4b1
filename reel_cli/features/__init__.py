"""One folder for each thing a person does."""
