/// Wishes of an upload: a batch of any size, sent in parts (contract K2).
public enum UploadRequest: Equatable, Sendable {
  /// Begins one under a number of the client's choice; `bytes` are about to come.
  case begin(UInt64, bytes: UInt64)
  /// A piece of the batch.
  case part(UploadPart)
  /// Applies the batch, which has so many parts.
  case commit(UInt64, parts: UInt64)
  /// Forgets it.
  case abort(UInt64)
}

/// A piece of a batch: encoded operations, sound but not unpacked.
public struct UploadPart: Equatable, Sendable {
  /// The upload.
  public var upload: UInt64
  /// Which part, from 0.
  public var part: UInt64
  /// Fields of `hp.v1.Batch`.
  public var bytes: [UInt8]
  /// How many operations they are.
  public var operations: Int
  /// Whether anything but operations stands there.
  public var hasHead: Bool
}
