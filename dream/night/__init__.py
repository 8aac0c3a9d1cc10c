"""One organisation's night: survey, plan, plant and land, under any scheduler."""
