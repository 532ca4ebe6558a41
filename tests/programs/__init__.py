"""What a bot is, and how it is found."""
