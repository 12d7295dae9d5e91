import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import MacroImplementation

/// The macros, with the protocols that types don't conform to by hand.
private func macros(missing protocols: [String]) -> [String: MacroSpec] {
  var specs = ["PrimaryKey", "Column", "JSON", "Ignored", "Embedded"].reduce(into: [:]) {
    $0[$1] = MacroSpec(type: PropertyAttributeMacro.self)
  }
  specs["Record"] = MacroSpec(
    type: RecordMacro.self, conformances: protocols.map { "\(raw: $0)" as TypeSyntax })
  specs["Embeddable"] = MacroSpec(
    type: EmbeddableMacro.self, conformances: ["EmbeddableRecord"])
  return specs
}

let allProtocols = [
  "FetchableRecord", "TableRecord", "MutablePersistableRecord", "PersistableRecord", "Identifiable",
  "_GeneratedRecord", "_CodedKeyRecord",
]

/// Compares the expansion of a source with the expected one.
func expectExpansion(
  of source: String, missing protocols: [String] = allProtocols,
  is expected: () -> String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  assertMacroExpansion(
    source, expandedSource: expected(), macroSpecs: macros(missing: protocols),
    indentationWidth: .spaces(2), failureHandler: record, fileID: fileID, filePath: filePath,
    line: line, column: column)
}

/// A mistake: the place and the text of its error, and each fix-it with the source that it makes.
struct Mistake: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var source: String
  var message: String
  var line: Int
  var column: Int
  var fixes: [(message: String, source: String)]

  init(
    _ description: String, _ source: String, _ message: String, _ line: Int, _ column: Int,
    _ fixes: (message: String, source: String)...
  ) {
    testDescription = description
    self.source = source
    self.message = message
    self.line = line
    self.column = column
    self.fixes = fixes
  }
}

/// Checks the error of a mistake. A declaration with a mistake has no expansion.
func expectError(_ mistake: Mistake) {
  for fix in mistake.fixes.isEmpty ? [nil] : mistake.fixes.map(Optional.some) {
    assertMacroExpansion(
      mistake.source, expandedSource: withoutAttributes(mistake.source),
      diagnostics: [
        DiagnosticSpec(
          message: mistake.message, line: mistake.line, column: mistake.column,
          fixIts: mistake.fixes.map { FixItSpec(message: $0.message) })
      ],
      macroSpecs: macros(missing: allProtocols), applyFixIts: fix.map { [$0.message] },
      fixedSource: fix?.source, indentationWidth: .spaces(2), failureHandler: record)
  }
}

/// The source without the attributes that are macros, which an expansion removes.
private func withoutAttributes(_ source: String) -> String {
  source.replacing(
    /@(Record|Embeddable|PrimaryKey|Column|JSON|Ignored|Embedded)(\((?:[^()]|\([^()]*\))*\))?\s*/,
    with: "")
}

private func record(_ failure: TestFailureSpec) {
  Issue.record(
    Comment(rawValue: failure.message),
    sourceLocation: SourceLocation(
      fileID: failure.location.fileID, filePath: failure.location.filePath,
      line: failure.location.line, column: failure.location.column))
}
