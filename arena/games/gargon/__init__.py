"""Gargon, by Rüdiger Dorn: creatures of six colours fight for amulets; 3 to 5 players."""
