"""The kit's repository: processes, objects, history."""
