import Foundation

// Foundation wants Sendable values, which the protocols of records don't ask for. A marker protocol
// leaves no trace in values: both types of dictionaries are the same at run time.

extension JSONDecoder {
  func setUserInfo(_ userInfo: [CodingUserInfoKey: Any]) {
    self.userInfo = unsafe unsafeBitCast(userInfo, to: [CodingUserInfoKey: any Sendable].self)
  }
}

extension JSONEncoder {
  func setUserInfo(_ userInfo: [CodingUserInfoKey: Any]) {
    self.userInfo = unsafe unsafeBitCast(userInfo, to: [CodingUserInfoKey: any Sendable].self)
  }
}
