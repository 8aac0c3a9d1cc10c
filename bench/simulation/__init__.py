"""T07: random sequences of what people, agents, clocks and crashes do around nights, and what must hold after each."""
