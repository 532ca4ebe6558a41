"""The rules of the games: pure state machines without I/O, clock or global randomness."""
