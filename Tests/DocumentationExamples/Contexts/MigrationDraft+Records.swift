struct Authorship: TableRecord {}
