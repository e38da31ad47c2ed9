"""The dealer school: rounds as they lie at settlement, and answers graded by settlement itself."""
