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

      With --check, nothing is written: the exit code is 1 if the file is not what would be written, and the differences \
      are shown as diff -u shows them. As types depend on values, give it the database that the file was made from.

      With --macros, they are records by macro, which need the product QuarryMacros and its trait.

      Example: quarry records shop.sqlite > Records.swift
               quarry records shop.sqlite --check Records.swift
      """)

  @OptionGroup var file: FileOptions

  @Option(help: "The file to write; standard output by default.", completion: .file())
  var to: String?

  @Option(help: "A file to compare with, instead of writing.", completion: .file())
  var check: String?

  @Option(help: "The access level of types and members: internal or public.")
  var access = "internal"

  @Flag(help: "Write records by macro, for the product QuarryMacros.")
  var macros = false

  func validate() throws {
    guard ["internal", "public"].contains(access) else {
      throw ValidationError("--access is internal or public")
    }
    if to != nil, check != nil { throw ValidationError("--to and --check exclude each other") }
  }

  func run() throws {
    if let to, file.database.isSameFile(as: to) {
      throw ToolError("\(file.file): can't write Swift into a database")
    }
    let text = try file.database.read { db in
      let catalog = try Catalog(db)
      let values = try ValueTypes(catalog, db)
      return RecordSource(
        catalog: catalog, values: values, isPublic: access == "public", usesMacros: macros
      ).text
    }
    if let check { return try compare(text, with: check) }
    var output = try TextFile(path: to)
    output.write(text)
    try output.close()
  }

  private func compare(_ text: String, with path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ToolError("\(path): no such file")
    }
    let difference = LineDiff(old: Array(data), new: Array(text.utf8))
    guard !difference.lines.isEmpty else { return }
    for line in ["--- \(path)", "+++ records of \(file.file)"] + difference.lines {
      Output.line(line.onOneLine)
    }
    Output.note("\(path): not the records of \(file.file); --to writes them")
    throw ExitCode(1)
  }
}
