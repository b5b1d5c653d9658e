/// The attributes of a colour, as far as they are there.
struct ColorSpelling {
  var white: Double?
  var red: Double?
  var green: Double?
  var blue: Double?
  var cyan: Double?
  var magenta: Double?
  var yellow: Double?
  var black: Double?
  var alpha: Double?
  var name: String?
  var system: String?

  /// The colour, or `nil` where nothing says which.
  ///
  /// The space is not looked at: the components that are there tell grey, RGB and CMYK apart, and
  /// files name the same space in several ways.
  var color: Color? {
    let components: Color.Components?
    if let white {
      components = Color.Components(red: white, green: white, blue: white)
    } else if let red, let green, let blue {
      components = Color.Components(red: red, green: green, blue: blue)
    } else if let cyan, let magenta, let yellow {
      let light = 1 - (black ?? 0)
      components = Color.Components(
        red: (1 - cyan) * light, green: (1 - magenta) * light, blue: (1 - yellow) * light)
    } else {
      components = nil
    }
    guard components != nil || name != nil || system != nil else { return nil }
    return Color(
      components: components, alpha: alpha ?? 1, name: system ?? name, isSystem: system != nil)
  }
}
