"""What the referee promises: the protocol to the letter, and a game that nobody can spoil."""
