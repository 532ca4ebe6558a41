"""What a stranger's program cannot do, whatever it tries."""
