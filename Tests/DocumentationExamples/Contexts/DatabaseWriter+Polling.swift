@Sendable func log(_ value: Any) {}
