// The information of an application for the coders of JSON columns.
//
// Foundation wants Sendable values, which the protocols of records don't ask for. A coder is used
// by the thread that has made it.
//
// *Assumption*: a marker protocol leaves no trace in values: both types of dictionaries are the
// same at run time.
// *Check*: `CodableDecodingTests`, `CodableEncodingTests`: JSON columns read the information.
// *Gain*: applications keep any values there, as the protocols say. Swift can't cast to a marker
// protocol.

func sendable(_ userInfo: [CodingUserInfoKey: Any]) -> [CodingUserInfoKey: any Sendable] {
  unsafe unsafeBitCast(userInfo, to: [CodingUserInfoKey: any Sendable].self)
}
