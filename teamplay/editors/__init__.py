"""What an editor shows of a table: its words coloured, its findings, its rules in words."""
