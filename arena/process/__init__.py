"""Programs: what a bot is, and how it is started, talked to and ended."""
