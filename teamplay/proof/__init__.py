"""What is proved of a player, and by what argument."""
