import Quarry
import QuarryTestSupport
import Testing

#if DEBUG
  /// Constant regions that are not constant.
  @Suite struct SmallRegionTests {
    @Test(arguments: [false, true])
    func `debug builds report a fetch that reads more than the first one, once`(isPool: Bool)
      async
    {
      // The function is that of the process.
      await #expect(processExitsWith: .success) { [isPool] in
        let log = Log<String>()
        Database.logError = { code, message in log.append("\(code.rawValue) \(message)") }
        try await (isPool ? ConnectionKind.pool : .queue).withShop { writer async throws in
          let report = Report<Int>()
          let observation = ValueObservation.trackingConstantRegion { db in
            try db.count("note") == 0 ? 0 : try db.count("country")
          }
          let events = ValueRecorder<String>()
          let cancellable = observation.logging(to: events).record(in: writer, into: report)
          try await events.wait {
            $0.contains("tracked region: note(*)") && $0.contains("value: 0")
          }
          for _ in 1...3 {
            let count = report.values.elements.count
            try writer.run("INSERT INTO note VALUES ('a')")
            try await report.values.first(count + 1)
          }
          cancellable.cancel()
        }
        let warnings = log.elements.filter { $0.contains("constant region") }
        #expect(
          warnings == [
            """
            28 a ValueObservation with a constant region reads country(*),note(*), but observes \
            note(*): use tracking(_:), or tracking(region:_:fetch:)
            """
          ])
      }
    }
  }
#endif
