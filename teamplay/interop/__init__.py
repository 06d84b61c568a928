"""Other people's programs, environments and files, and how a table meets them."""
