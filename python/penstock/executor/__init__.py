"""What a flow does as one of several in an executor: shares its cores, and tells what it does."""
