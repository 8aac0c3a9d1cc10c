"""Telling of a night while and after it is dreamed: logs, the board on a terminal, artifacts and events in Prefect."""
