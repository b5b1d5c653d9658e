/// What may be done by hand, with everything inherited (SPEC 6).
extension Table {
  /// The table's own policy over UIKit's defaults.
  public var rules: Policy {
    var policy = Policy.standard
    policy.merge(Policy(stored: self.policy))
    return policy
  }

  /// The policy that holds in a section.
  ///
  /// - Parameter index: The section's index, below `sectionCount`.
  /// - Returns: A policy with every field.
  public func rules(ofSection index: Int) -> Policy {
    var policy = rules
    policy.merge(Policy(stored: section(at: index).record.policy))
    return policy
  }

  /// The policy that holds for a row.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: A policy with every field; `nil` without such a row.
  /// - Complexity: O(log *n*).
  public func rules(ofRow id: UInt64) -> Policy? {
    guard let place = path(of: id) else { return nil }
    var policy = rules(ofSection: Int(place.path.section))
    policy.merge(Policy(stored: self.policy(ofRow: id)))
    return policy
  }

  /// The policy that a row has itself, as hp.v1.Policy.
  ///
  /// - Parameter id: The row's id.
  /// - Returns: The policy, or `nil`.
  public func policy(ofRow id: UInt64) -> [UInt8]? {
    // Beside long work it is the one before it.
    if past != nil, let old = work.policies[id] { return old }
    return rowPolicies[id]
  }

  /// Whether rows have policies of their own.
  public var hasRowPolicies: Bool { !rowPolicies.isEmpty }
}
