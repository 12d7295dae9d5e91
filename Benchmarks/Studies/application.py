"""Writes the application whose builds Benchmarks/Studies/builds times: 50 records, each in a file of its own, with columns, two
associations, requests, and what a screen fetches."""

NAMES = """Author Book Publisher Edition Volume Genre Language Cover Rack Room Depot Street Town Land Reader Card Loan
Reminder Fine Payment Invoice Purchase Position Parcel Carrier Region Review Answer Reading Event Ticket Speaker Club
Meeting Course Lesson Teacher Voucher Discount Supplier Transport Receipt Till Shift Employee Contract Holiday Task Note
Photo""".split()
PROPERTIES = [
    ("title", "String", "text"), ("subtitle", "String?", "text"), ("year", "Int", "integer"), ("count", "Int", "integer"),
    ("price", "Double", "double"), ("weight", "Double?", "double"), ("isActive", "Bool", "boolean"),
    ("isHidden", "Bool", "boolean"), ("createdAt", "Date", "datetime"), ("endedAt", "Date?", "datetime"),
    ("code", "UUID", "blob"), ("remark", "String?", "text"),
]
VALUES = {
    "String": '"\\(number)"', "String?": "nil", "Int": "number", "Double": "Double(number)", "Double?": "nil",
    "Bool": "number % 2 == 0", "Date": "Date(timeIntervalSince1970: Double(number))", "Date?": "nil", "UUID": "UUID()",
}


def lower(name):
    return name[0].lower() + name[1:]


def parent(index):
    """The record that a record belongs to: one that comes before it."""
    return NAMES[(index * 7 + 3) % index] if index else None


def properties(index):
    """Six properties: title, year and createdAt in each record, and three others in turn."""
    others = [entry for entry in PROPERTIES if entry[0] not in ("title", "year", "createdAt")]
    turn = [others[(index + step * 4) % len(others)] for step in range(3)]
    return [entry for entry in PROPERTIES if entry[0] in ("title", "year", "createdAt") or entry in turn]


def record(index, module):
    name, owner, own = NAMES[index], parent(index), properties(index)
    children = [NAMES[other] for other in range(1, len(NAMES)) if parent(other) == name]
    columns = [f"    static let {field} = Column(CodingKeys.{field})" for field, _, _ in own]
    fields = [f"  var {field}: {kind}" for field, kind, _ in own]
    arguments = ", ".join(["id: nil"] + [f"{field}: {VALUES[kind]}" for field, kind, _ in own])
    associations = [f"  static let {lower(child)}s = hasMany({child}.self)" for child in children]
    if owner:
        associations.append(f"  static let {lower(owner)} = belongsTo({owner}.self)")
        columns.append(f"    static let {lower(owner)}Id = Column(CodingKeys.{lower(owner)}Id)")
        fields.append(f"  var {lower(owner)}Id: Int64")
        arguments += f", {lower(owner)}Id: 1"
    if module == "QuarryMacros":
        declaration, key = [f"@Record struct {name}: Codable {{", *associations], ["  @PrimaryKey var id: Int64?"]
        callback = []
    else:
        declaration = [
            f"struct {name}: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {{",
            *associations, "", "  enum Columns {", "    static let id = Column(CodingKeys.id)", *columns, "  }"]
        key = ["  var id: Int64?"]
        callback = ["  mutating func didInsert(_ inserted: InsertionSuccess) {", "    id = inserted.rowID", "  }", ""]
    lines = [
        "import Foundation", f"import {module}", "", *declaration, "", *key, *fields, "", *callback,
        f"  static func sample(_ number: Int) -> {name} {{", f"    {name}({arguments})", "  }", "}", "",
        f"extension DerivableRequest<{name}> {{", *requests(name, module), "}", "", *screens(name, owner, children)]
    return "\n".join(lines) + "\n"


def requests(name, module):
    # A typed column that is never NULL is not compared with nil.
    second = '$0.title != ""' if module == "QuarryMacros" else "$0.createdAt != nil"
    return f"""  func orderedByTitle() -> Self {{
    order {{ [$0.title.collating(.localizedCaseInsensitiveCompare), $0.id] }}
  }}

  func since(_ year: Int) -> Self {{
    filter {{ $0.year >= year && {second} }}
  }}

  func titled(_ words: String) -> Self {{
    filter {{ $0.title.like("%\\(words)%") || $0.title == words }}
  }}""".split("\n")


def screens(name, owner, children):
    """The queries of a screen, and the records with what belongs to them."""
    lines = [
        f"struct {name}Store {{", "  let database: any DatabaseWriter", "",
        f"  func page(_ number: Int) throws -> [{name}] {{",
        f"    try database.read {{ db in try {name}.all().orderedByTitle().limit(50, offset: number * 50).fetchAll(db) }}",
        "  }", "",
        f"  func search(_ words: String, since year: Int?) throws -> [{name}] {{",
        f"    var request = {name}.all().titled(words)",
        "    if let year { request = request.since(year) }",
        "    return try database.read { db in try request.limit(20).fetchAll(db) }", "  }", "",
        f"  func save(_ {lower(name)}: {name}) throws -> {name} {{",
        f"    try database.write {{ db in try {lower(name)}.saved(db) }}", "  }", "",
        "  func recentCount() throws -> Int {",
        f"    try database.read {{ db in try {name}.filter {{ $0.year > 0 }}.fetchCount(db) }}", "  }", ""]
    infos = []
    if owner:
        infos += [
            f"struct {name}Info: Decodable, FetchableRecord {{", f"  var {lower(name)}: {name}", f"  var {lower(owner)}: {owner}",
            "}", ""]
        lines += [
            f"  func infos() throws -> [{name}Info] {{", "    try database.read { db in",
            f"      try {name}.including(required: {name}.{lower(owner)}).orderedByTitle()",
            f"        .asRequest(of: {name}Info.self).fetchAll(db)", "    }", "  }", ""]
    if children:
        child = children[0]
        infos += [
            f"struct {name}Family: Decodable, FetchableRecord {{", f"  var {lower(name)}: {name}",
            f"  var {lower(child)}s: [{child}]", f"  var {lower(child)}Count: Int", "}", ""]
        lines += [
            f"  func families() throws -> [{name}Family] {{", "    try database.read { db in",
            f"      try {name}.annotated(with: {name}.{lower(child)}s.count)",
            f"        .including(all: {name}.{lower(child)}s)",
            f"        .asRequest(of: {name}Family.self).fetchAll(db)", "    }", "  }", ""]
    return infos + lines[:-1] + ["}"]


def migrations(module):
    lines = ["import Foundation", f"import {module}", "", "func migrator() -> DatabaseMigrator {", "  var migrator = DatabaseMigrator()"]
    for index, name in enumerate(NAMES):
        owner = parent(index)
        columns = [
            f'      t.column("{field}", .{kind}){"" if swift.endswith("?") else ".notNull()"}'
            for field, swift, kind in properties(index)]
        if owner:
            columns.append(f'      t.belongsTo("{lower(owner)}", onDelete: .cascade).notNull()')
        lines += [
            f'  migrator.registerMigration("{name}") {{ db in', f'    try db.create(table: "{lower(name)}") {{ t in',
            '      t.autoIncrementedPrimaryKey("id")', *columns, "    }", "  }"]
    return "\n".join(lines + ["  return migrator", "}"]) + "\n"


def program(module):
    """Saves a record of each type, and prints how many come back."""
    lines = ["import Foundation", f"import {module}", "", "let database = try DatabaseQueue()", "try migrator().migrate(database)"]
    for name in NAMES:
        lines.append(f"_ = try {name}Store(database: database).save({name}.sample(7))")
    for index, name in enumerate(NAMES):
        parts = [f'{name}Store(database: database).page(0).count', f'{name}Store(database: database).search("7", since: 1).count']
        if index:
            parts.append(f"{name}Store(database: database).infos().count")
        if any(parent(other) == name for other in range(1, len(NAMES))):
            parts.append(f"{name}Store(database: database).families().count")
        lines.append(f'print("{name}", {", ".join("try " + part for part in parts)})')
    return "\n".join(lines) + "\n"


def manifest(module, package, identity):
    traits = ', traits: ["Macros"]' if module == "QuarryMacros" else ""
    return f"""// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Shop",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "{identity}", path: "{package}"{traits})],
  targets: [
    .executableTarget(name: "Shop", dependencies: [.product(name: "{module}", package: "{identity}")])
  ])
"""


def write(folder, module, package, identity):
    sources = folder / "Sources/Shop"
    sources.mkdir(parents=True, exist_ok=True)
    (folder / "Package.swift").write_text(manifest(module, package, identity))
    for index, name in enumerate(NAMES):
        (sources / f"{name}.swift").write_text(record(index, module))
    (sources / "Migrations.swift").write_text(migrations(module))
    (sources / "main.swift").write_text(program(module))


def change(folder, number):
    """Changes a line in the body of a function."""
    path = folder / "Sources/Shop/Book.swift"
    text = path.read_text()
    path.write_text(text.replace(f"$0.year > {number - 1} }}", f"$0.year > {number} }}"))
