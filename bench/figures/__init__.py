"""What a night costs in time and memory, cold and warm, beside a reference measured in the same run."""
