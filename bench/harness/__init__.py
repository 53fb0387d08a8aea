"""What bench/run.py, bench/figures.py and demo/run have in common."""
