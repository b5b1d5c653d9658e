import Glibc
import Testing

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/hpd-nib-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary directory") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    guard let end = popen("rm -rf '\(path)'", "r") else { return }
    pclose(end)
  }

  /// Writes a file, and the folder it lies in: as a change of what is there, or as a new file that
  /// takes its name; `settled` waits until its times lie behind the clock.
  func write(_ name: String, _ bytes: [UInt8], inPlace: Bool = true, settled: Bool = false) throws {
    let parts = name.split(separator: "/")
    if parts.count > 1 { mkdir("\(path)/\(parts[0])", 0o700) }
    let target = "\(path)/\(name)"
    let written = inPlace ? target : target + ".new"
    let descriptor = open(written, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    var count = 0
    while count < bytes.count {
      let put = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: count), bytes.count - count)
      }
      try #require(put > 0)
      count += put
    }
    close(descriptor)
    if !inPlace { try #require(rename(written, target) == 0) }
    if settled { try settle(target) }
  }

  func remove(_ name: String) throws { try #require(unlink("\(path)/\(name)") == 0) }

  func makeFolder(_ name: String) throws { try #require(mkdir("\(path)/\(name)", 0o700) == 0) }

  /// Waits until the file's times lie behind the clock: the change time can't be set.
  private func settle(_ target: String) throws {
    var info = stat()
    try #require(stat(target, &info) == 0)
    let changed = info.st_ctim
    for _ in 0..<1_000 {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age =
        (now.tv_sec - changed.tv_sec) * 1_000_000_000 + (now.tv_nsec - changed.tv_nsec)
      if age > 60_000_000 { return }
      usleep(2_000)
    }
    Issue.record("the clock stands still")
  }
}

extension Sample {
  /// A file of the tests' own bundle.
  static func file(_ name: String) throws -> [UInt8] {
    var folder = #filePath
    while folder.last != "/" { folder.removeLast() }
    let file = try #require(fopen(folder + "Bundle/" + name, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }
}
