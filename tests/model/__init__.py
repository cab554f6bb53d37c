"""Plain, slow models of the games, written from the rules pages: the second opinion of the tests."""
