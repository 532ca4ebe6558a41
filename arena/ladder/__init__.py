"""Ladders: schedule, ratings, store, runner, standings, verification."""
