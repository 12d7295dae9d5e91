var arguments: VirtualTableArguments { fatalError() }
