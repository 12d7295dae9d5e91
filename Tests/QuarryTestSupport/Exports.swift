// The tests use these by this module: the campaigns, which are programs, by themselves.
@_exported public import RandomNumbers
@_exported public import TemporaryDirectories
