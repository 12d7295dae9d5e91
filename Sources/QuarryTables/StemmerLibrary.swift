import Foundation
import Quarry

/// The functions of libstemmer, which is loaded when a program first asks for it: no program
/// depends on it otherwise.
///
/// See <https://snowballstem.org/runtime/use.html>.
@safe struct StemmerLibrary: Sendable {
  typealias Create =
    @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> OpaquePointer?
  typealias Delete = @convention(c) (OpaquePointer?) -> Void
  typealias Stem =
    @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, CInt) -> UnsafePointer<UInt8>?
  typealias Length = @convention(c) (OpaquePointer?) -> CInt

  let create: Create
  let delete: Delete
  let stem: Stem
  let length: Length

  #if canImport(Darwin)
    static let fileNames = ["libstemmer.dylib"]
  #else
    static let fileNames = ["libstemmer.so.0d", "libstemmer.so.0", "libstemmer.so"]
  #endif

  /// Nil where the library is not installed.
  static let shared = StemmerLibrary(fileNames)

  init?(_ fileNames: [String]) {
    let handle = unsafe fileNames.lazy.compactMap { unsafe dlopen($0, RTLD_NOW) }.first
    guard let handle = unsafe handle,
      let create = unsafe dlsym(handle, "sb_stemmer_new"),
      let delete = unsafe dlsym(handle, "sb_stemmer_delete"),
      let stem = unsafe dlsym(handle, "sb_stemmer_stem"),
      let length = unsafe dlsym(handle, "sb_stemmer_length")
    else { return nil }
    unsafe self.create = unsafe unsafeBitCast(create, to: Create.self)
    unsafe self.delete = unsafe unsafeBitCast(delete, to: Delete.self)
    unsafe self.stem = unsafe unsafeBitCast(stem, to: Stem.self)
    unsafe self.length = unsafe unsafeBitCast(length, to: Length.self)
  }
}

/// Reduces the words of a language to their stems. It is used by one thread at a time.
@safe final class Stemmer {
  private let library: StemmerLibrary
  private let pointer: OpaquePointer

  /// - Throws: `DatabaseError` if there is no library, or if it does not know the language.
  init(language: String, library: StemmerLibrary?) throws {
    guard let library else {
      let names = StemmerLibrary.fileNames.joined(separator: ", ")
      throw DatabaseError(message: "libstemmer is not installed: found none of \(names)")
    }
    guard let pointer = unsafe library.create(language, "UTF_8") else {
      throw DatabaseError(message: "libstemmer has no stemmer for the language \(language)")
    }
    self.library = library
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe library.delete(pointer) }

  /// The stem of a word in lower case, in composed characters.
  func stem(_ word: String) -> String {
    var word = word
    let stem = word.withUTF8 { bytes -> String? in
      let stem = unsafe library.stem(pointer, bytes.baseAddress, CInt(clamping: bytes.count))
      guard let stem = unsafe stem else { return nil }
      return unsafe String(
        decoding: UnsafeBufferPointer(start: stem, count: Int(library.length(pointer))),
        as: UTF8.self)
    }
    return stem ?? word
  }
}
