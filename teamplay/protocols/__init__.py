"""How other programs speak: child processes, and the texts of their protocols."""
