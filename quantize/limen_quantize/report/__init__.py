"""`limen quantize report`: models of every format in one table, measured and scored in one run.

`subset` draws the queries, `measuring` runs one detector in a process of its own, `prompted` runs an untuned
language model (`examples`: what it may be shown), `scoring` asks `limen eval privacy` for the scores, `table`
and `plot` show them.
"""
