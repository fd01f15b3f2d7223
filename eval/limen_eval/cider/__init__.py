"""The evaluation of Guo et al. 2026: does a predictor know where one person draws the line."""
