"""`limen quantize teach`: larger models learn to tag, and answer training texts for the encoder.

`taggers` makes a tagger of an encoder or of a causal model, `reading` has it read texts, `run` trains as many
as are asked for and writes their answers.
"""
