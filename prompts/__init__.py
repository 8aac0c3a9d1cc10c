"""Prompt texts as Markdown templates, one folder per task; without a configured model there are none to send."""
