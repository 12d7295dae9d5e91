class Player: Record {
  var name = ""
}
let player = Player()
