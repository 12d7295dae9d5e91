let sea = FTS5Pattern(matchingAllTokensIn: "sea")
let riverOrLake = FTS5Pattern(matchingAnyTokenIn: "river lake")
