internal import hpclient

extension Policy {
  /// A policy as the C library has it.
  init(_ policy: hp_policy) {
    func flag(_ choice: hp_choice) -> Bool? {
      choice == HP_INHERITED ? nil : choice == HP_YES
    }
    // Safe: the title belongs to the reply or event, which is alive during the call; it is copied.
    unsafe self.init(
      canEdit: flag(policy.can_edit), canMove: flag(policy.can_move),
      style: Self.style(policy.editing_style), deleteTitle: String(hp: policy.delete_title),
      indents: flag(policy.indent_while_editing), selects: flag(policy.allows_selection),
      selectsDuringEditing: flag(policy.allows_selection_during_editing),
      selectsMany: flag(policy.allows_multiple_selection),
      selectsManyDuringEditing: flag(policy.allows_multiple_selection_during_editing),
      drop: Self.drop(policy.drop), writesNeedHold: flag(policy.writes_only_while_holding))
  }

  private static func style(_ style: hp_editing_style) -> EditingStyle? {
    switch style {
    case HP_STYLE_NONE: EditingStyle.none
    case HP_STYLE_DELETE: .delete
    case HP_STYLE_INSERT: .insert
    default: nil
    }
  }

  private static func drop(_ rule: hp_drop_rule) -> DropRule? {
    switch rule {
    case HP_DROP_ANYWHERE: .anywhere
    case HP_DROP_SAME_SECTION: .sameSection
    default: nil
    }
  }

  /// The C library's form; the title lives in `text`.
  func made(_ text: CText) -> hp_policy {
    func choice(_ flag: Bool?) -> hp_choice {
      switch flag {
      case nil: HP_INHERITED
      case true?: HP_YES
      case false?: HP_NO
      }
    }
    let made: hp_editing_style =
      switch style {
      case nil: HP_STYLE_INHERITED
      case .some(.none): HP_STYLE_NONE
      case .delete: HP_STYLE_DELETE
      case .insert: HP_STYLE_INSERT
      }
    let rule: hp_drop_rule =
      switch drop {
      case nil: HP_DROP_INHERITED
      case .anywhere: HP_DROP_ANYWHERE
      case .sameSection: HP_DROP_SAME_SECTION
      }
    return unsafe hp_policy(
      can_edit: choice(canEdit), can_move: choice(canMove), editing_style: made,
      delete_title: text(optional: deleteTitle), indent_while_editing: choice(indents),
      allows_selection: choice(selects),
      allows_selection_during_editing: choice(selectsDuringEditing),
      allows_multiple_selection: choice(selectsMany),
      allows_multiple_selection_during_editing: choice(selectsManyDuringEditing), drop: rule,
      writes_only_while_holding: choice(writesNeedHold))
  }
}
