"""The ladders of a site: which there are, how they stand, and the runs that play them."""
