"""What became of agents' pull requests: the classes that code gives real records, held against labels made by hand."""
