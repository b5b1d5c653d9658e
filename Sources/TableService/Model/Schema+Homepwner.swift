extension Schema {
  /// The columns of an item in Homepwner (SPEC 2).
  ///
  /// `name` and `serial` are text, `value` dollars and cents, `created` is set by hpd.
  public static let homepwnerColumns: [Column] = {
    let name = Column(id: 1, name: "name", kind: .text)
    let serial = Column(id: 2, name: "serial", kind: .text)
    var value = Column(id: 3, name: "value", kind: .decimal)
    value.scale = 2
    value.currency = "USD"
    var created = Column(id: 4, name: "created", kind: .timestamp)
    created.isReadOnly = true
    created.defaultsToNow = true
    return [name, serial, value, created]
  }()
}
