let cursor: PageCursor? = nil
