"""Running programs: shortages and suspension."""
