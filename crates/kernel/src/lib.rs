//! What every game is: seats, decisions, verdicts, dice, journal, views. Knows no hexes.
