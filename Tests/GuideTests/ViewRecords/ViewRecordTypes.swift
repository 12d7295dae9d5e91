import Quarry

/// The records of a library: copies of books, their loans, and the view of the loans that are open.
/// They are in one file, since extensions in other files can't make records encodable.
enum ViewRecords {
  struct Copy: Codable, Equatable, FetchableRecord, PersistableRecord {
    var barcode: String
    var title: String
  }

  struct Loan: Codable, Equatable, FetchableRecord, PersistableRecord {
    var number: String
    var barcode: String
    var borrower: String
    var isReturned: Bool
  }

  struct OpenLoan: Decodable, Identifiable, Equatable, FetchableRecord {
    enum Columns {
      static let barcode = Column(CodingKeys.barcode)
      static let borrower = Column(CodingKeys.borrower)
    }

    // A view has no foreign keys: the association brings its own.
    static let copyKey = ForeignKey([Columns.barcode])
    static let copy = belongsTo(Copy.self, using: copyKey)

    var number: String
    var borrower: String
    var barcode: String

    var id: String { number }
  }

  /// Loans have numbers.
  struct LibrarySchemaSource: DatabaseSchemaSource {
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      view.name == "openLoan" ? ["number"] : nil
    }
  }
}

extension ViewRecords.Copy {
  static let openLoan = hasOne(
    ViewRecords.OpenLoan.self, using: ViewRecords.OpenLoan.copyKey)
}

extension ViewRecords.OpenLoan: Encodable, PersistableRecord {}
