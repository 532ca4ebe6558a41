"""What the arena does where it is not on Linux."""
