import Testing

@testable import Quarry

struct SnakeCaseTests {
  @Test(arguments: [
    ("firstName", "first_name"), ("theURL", "the_url"), ("myHTTPServer", "my_http_server"),
    ("simple", "simple"), ("oneTwoThree", "one_two_three"), ("myURL2Property", "my_url2_property"),
    ("", ""), ("a", "a"), ("already_snake", "already_snake"),
  ])
  func `camel case becomes snake case`(camel: String, snake: String) {
    #expect(camel.snakeCased == snake)
  }

  @Test(arguments: [
    ("first_name", "firstName"), ("the_url", "theUrl"), ("simple", "simple"),
    ("_private_thing_", "_privateThing_"), ("__", "__"), ("", ""), ("one__two", "oneTwo"),
    ("camelCase", "camelCase"), ("A_B", "aB"),
  ])
  func `snake case becomes camel case`(snake: String, camel: String) {
    #expect(snake.camelCased == camel)
  }
}
