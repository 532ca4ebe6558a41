"""The answers to requests: pages, streams, and the programs' interface below `/api/v1`.

`guard` stands before all of it. Each page is a function from what is asked to a response; it
runs in a thread, and may wait for the database.
"""
