import Dispatch
import Quarry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)
  /// The events of the files of a database: the database, its write-ahead log and its journal. See
  /// `man 7 inotify`.
  final class FileEvents: @unchecked Sendable {
    // All variables are those of the queue.
    private let descriptor: CInt
    private let source: any DispatchSourceRead
    private let directory: String
    private let names: [String]
    private let directoryWatch: CInt
    private var fileWatches: [CInt: String] = [:]
    private var isPaused = false
    private let onError: @Sendable (any Error) -> Void
    private let onEvent: @Sendable () -> Void

    init(
      database path: String, queue: DispatchQueue, onError: @escaping @Sendable (any Error) -> Void,
      onEvent: @escaping @Sendable () -> Void
    ) throws {
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      directory = slash == path.startIndex ? "/" : String(path[..<slash])
      let name = path[slash...].dropFirst()
      names = ["", "-wal", "-journal", SignalFile.suffix].map { name + $0 }
      (self.onError, self.onEvent) = (onError, onEvent)
      descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
      guard descriptor >= 0 else { throw FileEvents.error("the system gives no events", path) }
      // Files come and go: their directory reports that, and nothing about their content.
      let mask = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM
      directoryWatch = unsafe inotify_add_watch(descriptor, directory, UInt32(mask))
      guard directoryWatch >= 0 else {
        let error = FileEvents.error("its directory can't be watched", path)
        close(descriptor)
        throw error
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setCancelHandler { [descriptor] in close(descriptor) }
      source.setEventHandler { [weak self] in self?.readEvents() }
      do {
        for name in names { try watch(name) }
      } catch {
        source.activate()
        source.cancel()
        throw error
      }
      // Not before: the handler reads what is watched.
      source.activate()
    }

    func end() {
      resume()
      source.cancel()
    }

    /// Leaves events with the system, which keeps them: each one that is read wakes up a thread.
    func pause() {
      if !isPaused { source.suspend() }
      isPaused = true
    }

    func resume() {
      if isPaused { source.resume() }
      isPaused = false
    }

    private static func error(_ reason: String, _ path: String) -> DatabaseError {
      DatabaseError(
        resultCode: .SQLITE_CANTOPEN,
        message: "changes of other processes can't be watched: \(reason): "
          + "\(unsafe String(cString: strerror(errno))) - \(path). "
          + "Poll, by notifyChangesOfOtherConnections(every:)")
    }

    private func watch(_ name: String) throws {
      let path = "\(directory)/\(name)"
      let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
      if watch >= 0 {
        fileWatches[watch] = name
      } else if errno != ENOENT {
        throw Self.error("the file can't be watched", path)
      }
    }

    private func readEvents() {
      var isOurs = false
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { break }
        for event in Event.all(bytes.prefix(count)) where note(event) { isOurs = true }
      }
      if isOurs { onEvent() }
    }

    /// An event, as the system writes it: four numbers of 32 bits, of which the last one is the
    /// length of the name that follows, and which is filled up with zeros.
    private struct Event {
      let watch: CInt
      let mask: UInt32
      let name: String

      static func all(_ bytes: ArraySlice<UInt8>) -> [Event] {
        var (events, bytes): ([Event], ArraySlice<UInt8>) = ([], bytes)
        while bytes.count >= 16 {
          let numbers = (0..<4).map { number(bytes.dropFirst(4 * $0).prefix(4)) }
          let name = bytes.dropFirst(16).prefix(Int(numbers[3])).prefix { $0 != 0 }
          events.append(
            Event(
              watch: CInt(bitPattern: numbers[0]), mask: numbers[1],
              name: String(decoding: name, as: UTF8.self)))
          bytes = bytes.dropFirst(16 + Int(numbers[3]))
        }
        return events
      }

      private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        // In the order of the machine.
        UInt32(bigEndian: bytes.reduce(0) { $0 << 8 | UInt32($1) })
      }
    }

    private func watchAgain(_ name: String) { do { try watch(name) } catch { onError(error) } }

    /// Returns whether an event says that the database may have changed.
    private func note(_ event: Event) -> Bool {
      if event.mask & UInt32(IN_IGNORED) != 0 { fileWatches[event.watch] = nil }
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        // The queue of the system was full: anything may have happened.
        names.forEach(watchAgain)
        return true
      }
      guard event.watch == directoryWatch else { return fileWatches[event.watch] != nil }
      guard names.contains(event.name) else { return false }
      if event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { watchAgain(event.name) }
      return true
    }
  }
#else
  /// No events: the database is polled.
  final class FileEvents: Sendable {
    init(
      database path: String, queue: DispatchQueue, onError: @escaping @Sendable (any Error) -> Void,
      onEvent: @escaping @Sendable () -> Void
    ) throws {}

    func end() {}
    func pause() {}
    func resume() {}
  }
#endif
