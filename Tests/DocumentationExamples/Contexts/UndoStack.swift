let undo = try UndoStack(dbQueue)
let books: [Book] = []
struct Button { var title = "" }
var undoButton = Button()
