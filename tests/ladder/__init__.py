"""What the ladder promises: balanced, repeatable, and numbers that mean what they say."""
