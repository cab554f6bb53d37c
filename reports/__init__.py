"""Reports: a summary of a run as a page for people, as Markdown and as JSON."""
