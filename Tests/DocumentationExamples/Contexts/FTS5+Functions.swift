let pattern = FTS5Pattern(matchingAllTokensIn: "old man")
