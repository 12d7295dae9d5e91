import ArgumentParser
import Foundation
import Quarry

/// Writes Swift records for a database that exists.
struct Records: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes Swift records with associations for the tables and views of a database.",
    discussion: """
      Types are those of the declarations, checked against the values: where they differ, a comment says so. Tables \
      with an INTEGER PRIMARY KEY get an identifier that an insertion sets. Foreign keys become associations in both \
      directions, and tables of pairs associations through them.

      Example: quarry records shop.sqlite > Records.swift
      """)

  @OptionGroup var file: FileOptions

  @Option(help: "The file to write; standard output by default.", completion: .file())
  var to: String?

  @Option(help: "The access level of types and members: internal or public.")
  var access = "internal"

  func validate() throws {
    guard ["internal", "public"].contains(access) else {
      throw ValidationError("--access is internal or public")
    }
  }

  func run() throws {
    if to == file.file { throw ToolError("\(file.file): can't write Swift into a database") }
    let text = try file.database.read { db in
      let catalog = try Catalog(db)
      let values = try ValueTypes(catalog, db)
      return RecordSource(catalog: catalog, values: values, isPublic: access == "public").text
    }
    var output = try TextFile(path: to)
    output.write(text)
    try output.close()
  }
}
