"""What do people, commands and pages call, and what comes back? Functions of plain arguments, results as values."""
