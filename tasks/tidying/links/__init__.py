"""Links that lead nowhere since notes were renamed, merged or cut up, and where they lead now."""
