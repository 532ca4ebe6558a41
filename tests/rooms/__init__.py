"""The rooms of the arena's code, and the order of imports."""
