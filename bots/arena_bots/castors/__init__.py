"""The bundled bots for Gang de Castors, from chance to search."""
