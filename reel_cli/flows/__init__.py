"""One module an operation: snapshot in, change or result out."""
