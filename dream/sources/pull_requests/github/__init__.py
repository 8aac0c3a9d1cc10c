"""Pull requests of agents as GitHub has them, asked for by GraphQL."""
