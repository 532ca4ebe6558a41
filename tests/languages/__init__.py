"""Every language that bots can be written in: its SDK, its starters, its bots."""
