"""Records, and what becomes of changed ones."""
