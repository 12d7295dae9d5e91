var t: TableAlteration { fatalError() }
let defaultPageCount = 100
