/// A request that can join associations.
///
/// | method | associated records are fetched | records without an associated record |
/// | --- | --- | --- |
/// | ``including(required:)`` | yes | are left out |
/// | ``including(optional:)`` | yes | are kept |
/// | ``including(all:)`` | yes, any number | are kept |
/// | ``joining(required:)`` | no | are left out |
/// | ``joining(optional:)`` | no | are kept |
///
/// In one request, associations with the same key share one join: filters are combined, the last
/// selection and the last ordering win, `including` wins over `joining`, and `required` over
/// `optional`.
public protocol JoinableRequest<RowDecoder>: TypedRequest, _RelationRequest {}
