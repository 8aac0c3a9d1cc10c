"""MCP servers: tools that an organisation allows and a server marks read-only, called within time and size."""
