"""What is suspicious about a table that can be read? One file per check; `report.py` joins what they find."""
