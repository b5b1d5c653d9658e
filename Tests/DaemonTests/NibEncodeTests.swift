import Coding
import Testing

@testable import Nib
@testable import hpd

/// Nibs as the wire tells them, in pieces that fit frames (contract K2).
@Suite struct NibEncodeTests {
  private func tree(_ count: Int) throws -> LoadedNib {
    var text = "<view id=\"top\"><subviews>"
    for index in 1..<count { text += "<button title=\"Button \(index)\" id=\"b\(index)\"/>" }
    let document = """
      <document type="\(NibDocument.type)"><objects>\(text)</subviews></view></objects></document>
      """
    let parsed = try NibDocument(Array(document.utf8))
    return LoadedNib(nodes: parsed.nodes, topLevel: parsed.topLevel, ownerOutlets: [])
  }

  @Test func smallOnesAreOnePiece() throws {
    #expect(try tree(3).encoded().count == 1)
    #expect(try tree(1).encoded().count == 1)
  }

  @Test func largeOnesComeInPieces() throws {
    let nib = try tree(NibLimits.objects)
    let pieces = nib.encoded()
    #expect(pieces.count > 2)
    var ids: [UInt64] = []
    for piece in pieces {
      #expect(piece.count < 1 << 20)
      var reader = FieldReader(piece.indices)
      while let field = try reader.next(in: piece.span) {
        guard field.number == 1 else { continue }
        var inner = FieldReader(field.range)
        if let id = try inner.next(in: piece.span), id.number == 1 { ids.append(id.value) }
      }
    }
    #expect(ids == nib.nodes.map(\.id))
  }
}
