"""What people look at: positions and reasons, on a screen, on paper, and for scripts."""
