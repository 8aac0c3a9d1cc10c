"""What the gates stop and what they let through: published attacks, mutated quotes, changed values, labelled claims."""
