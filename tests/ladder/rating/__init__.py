"""What the ratings promise: TrueSkill as published, intervals that hold, a true second opinion."""
