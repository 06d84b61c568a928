"""The studio: a page in the browser, and a board in a notebook, where a table is written, seen, proved and played."""
