public import Coding

/// Why a change could not be folded into a table: the bytes or the table are not what the
/// other was written for.
public enum FoldFault: Error, Equatable, Sendable {
  /// The bytes are no change.
  case coding(CodingFault)
  /// A row image is not in its one form.
  case badImage
  /// A row, section or path is not there.
  case missing
  /// Something is there twice.
  case duplicate
  /// The rows that are gone are not the ones named.
  case badDeletes
}
