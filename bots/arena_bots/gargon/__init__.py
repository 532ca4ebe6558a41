"""The bundled bots that play Gargon, from the simplest idea to search."""
