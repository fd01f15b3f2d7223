"""The encrypted memory of a user's choices, and the predictor of their boundary. Imports no other Limen package."""
