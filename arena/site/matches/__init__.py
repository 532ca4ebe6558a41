"""Matches: unrated games between sealed bots, which people start, in their ladder's sandbox.

`booking` says who may let which bots play, `organiser` takes matches from the queue and starts
`playing` for each, a program that ends with the server. What it tells is kept in `results`.
"""
