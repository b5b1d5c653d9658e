/// A number with its noun: 1 field, 2 fields.
func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)" + (number == 1 ? "" : "s")
}
