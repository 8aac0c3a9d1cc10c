"""Which notes matter today, answer a question, and stand near one another."""
