/// An object as an instance of its class, which the caller knows: its branch has compared the
/// types, or has found the object by the type that it was made for.
///
/// *Assumption*: none beside this.
/// *Check*: in debug builds, each cast; so all tests of records.
/// *Gain*: a cast (`as?`) goes through the runtime, for each property that is no plain value. Not
/// measured.
@inline(__always) func known<Object: AnyObject>(
  _ object: AnyObject, as type: Object.Type
) -> Object { unsafe unsafeDowncast(object, to: type) }
