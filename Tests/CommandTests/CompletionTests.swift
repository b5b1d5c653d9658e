import Testing

@testable import hpctl

@Suite struct CompletionTests {
  @Test(arguments: Completions.shells) func knowsEveryVerbAndOption(shell: String) throws {
    let script = try #require(Completions.script(for: shell))
    for verb in Verb.allCases {
      #expect(script.contains(verb.rawValue.split(separator: " ").last.map(String.init) ?? ""))
      for option in CommandTable.info(verb).options + OptionName.global {
        #expect(script.contains((shell == "fish" ? "-l " : "--") + option.rawValue))
      }
    }
  }

  @Test func knowsNoOtherShell() {
    #expect(Completions.script(for: "csh") == nil)
  }
}
