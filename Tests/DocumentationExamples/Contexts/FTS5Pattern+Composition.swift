let sea = try FTS5Pattern(rawPattern: "sea")
let riverOrLake = try FTS5Pattern(rawPattern: "river OR lake")
