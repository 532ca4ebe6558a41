"""The pages: their commands, links and pictures."""
