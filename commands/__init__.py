"""Click commands: read arguments, call one function, print what it returns. No logic."""
