"""The bundled bots that play Gang de Castors, from the simplest idea to search."""
