"""Every table and worked number of the papers, run again."""
