var stream: DumpStream {
  get { fatalError() }
  set {}
}
