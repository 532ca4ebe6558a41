"""How programs are started, locked up, limited and ended."""
