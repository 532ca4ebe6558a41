"""The referee: one game between programs, its clocks and verdicts, and its record."""
