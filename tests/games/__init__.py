"""The game engines, tested against the rules that they implement and the interface they share."""
