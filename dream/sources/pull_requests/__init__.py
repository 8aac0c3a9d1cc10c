"""Pull requests that agents opened, and what people did with them."""
