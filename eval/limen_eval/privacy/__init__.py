"""The evaluation of Zeng et al. 2025: does a query leak, which phrases leak, and what do they tell."""
