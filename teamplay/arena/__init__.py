"""The arena: matches and tournaments whose results can be trusted, by one worker or many."""
