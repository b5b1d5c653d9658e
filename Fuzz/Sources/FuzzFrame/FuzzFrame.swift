import CFuzzer
@_spi(Fuzzing) import Wire

/// Kept from input to input, as a loop keeps them from frame to frame.
nonisolated(unsafe) private let decoder = RequestDecoder()
nonisolated(unsafe) private let second = RequestDecoder()

@main enum FuzzFrame {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    // Does not return: libFuzzer ends the process.
    _ = LLVMFuzzerRunDriver(&count, &arguments, fuzzFrame)
  }
}

/// Gives the fuzzer's bytes to the wire twice: as a stream of frames that comes in pieces, and
/// as the payload of one frame.
private func fuzzFrame(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var queue = ByteQueue()
  var sent = 0
  while sent < count {
    let piece = min(count - sent, 1 + Int(bytes[sent]))
    queue.append(bytes.span.extracting(sent..<sent + piece))
    sent += piece
    do throws(WireFault) {
      while case .frame(let range) = try FrameReader().next(in: queue.bytes) {
        decode(queue.bytes.extracting(range))
        queue.consume(range.upperBound)
      }
    } catch {
      precondition(error.endsConnection, "a length at fault leaves the connection open")
      break
    }
  }
  decode(bytes.span)
  return 0
}

/// Decodes a frame with two decoders, one of which reads by the schema alone, and demands the same of
/// both, and that a batch's ranges lead somewhere.
private func decode(_ frame: Span<UInt8>) {
  let request: Request
  do throws(WireFault) {
    request = try decoder.decode(frame)
  } catch {
    precondition(!error.endsConnection, "a whole frame ends the connection")
    precondition(error.offset <= frame.count, "a fault lies outside its frame")
    precondition(error.error.expected != nil, "a fault expects nothing")
    let first = error
    do throws(WireFault) {
      _ = try second.decodeBySchema(frame)
      preconditionFailure("what was refused is taken")
    } catch {
      precondition(error == first, "a fault changes")
    }
    return
  }
  do throws(WireFault) {
    let other = try second.decodeBySchema(frame)
    precondition(other == request, "a request changes")
  } catch {
    preconditionFailure("what was taken is refused")
  }
  guard request.body == .batch else { return }
  let batch = decoder.batch
  // A height that is no number is equal to none, not even itself.
  precondition(batch == second.batch || batch != batch, "a batch changes")
  for row in batch.rows {
    precondition(row.cells.upperBound <= batch.cells.count, "a row's cells lead nowhere")
  }
  for cell in batch.cells {
    guard case .text(let range) = cell.value else { continue }
    precondition(
      String(validating: batch.text[range.range], as: UTF8.self) != nil, "a text is not UTF-8")
  }
}
