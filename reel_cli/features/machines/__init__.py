"""A kit that is kept on two machines."""
