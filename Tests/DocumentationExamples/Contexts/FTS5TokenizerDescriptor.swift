struct BookIndex: TableRecord {}
