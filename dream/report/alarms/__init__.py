"""What tells that nights which end well are of no use any more: alarms, made of records and attempts alone."""
