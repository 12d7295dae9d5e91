let books = [(isbn: "111", title: "The Trial")]
let scan = VirtualTableScan?.none!
