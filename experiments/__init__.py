"""From runs to numbers: the runner, estimators with their intervals, and comparisons."""
