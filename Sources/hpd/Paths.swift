internal import CHPSystem
internal import Glibc

/// Where the socket and the store are (SPEC 12).
enum Paths {
  /// A path that can't be used, with the reason.
  struct Fault: Error {
    let text: String
  }

  static func environment(_ name: String) -> String? {
    // Safe: the environment is not changed after start.
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The socket's path; its folder is made with mode 0700 where it is hpd's own.
  ///
  /// - Parameter asked: What the command line says.
  /// - Returns: The path.
  /// - Throws: `Fault` where the path is too long or its folder can't be trusted.
  static func socket(_ asked: String?) throws(Fault) -> String {
    if let path = asked ?? environment("HPD_SOCKET") {
      return try checked(path)
    }
    let folder: String
    let own: Bool
    if let runtime = environment("XDG_RUNTIME_DIR") {
      folder = runtime + "/hpd"
      own = false
    } else {
      folder = "/tmp/hpd-\(geteuid())"
      own = true
    }
    try makeFolder(folder, strict: own)
    return try checked(folder + "/hpd.sock")
  }

  /// The store's path; missing folders are made with mode 0700.
  ///
  /// - Parameter asked: What the command line says.
  /// - Returns: The path.
  /// - Throws: `Fault` where no home is known or a folder can't be made.
  static func store(_ asked: String?) throws(Fault) -> String {
    if let asked { return asked }
    let base: String
    if let data = environment("XDG_DATA_HOME") {
      base = data
    } else if let home = environment("HOME") {
      base = home + "/.local/share"
    } else {
      throw Fault(text: "neither XDG_DATA_HOME nor HOME is set: name the store with --store")
    }
    var path = ""
    for part in (base + "/hpd").split(separator: "/") {
      path += "/" + part
      try makeFolder(path, strict: false)
    }
    return path + "/hpd.db"
  }

  /// The folder of .xib files: the one named, or `bundle` beside the store; it need not be there.
  ///
  /// - Parameters:
  ///   - asked: What the command line says.
  ///   - store: The store's path.
  /// - Returns: The path.
  static func bundle(_ asked: String?, store: String) -> String {
    if let asked { return asked }
    guard let slash = store.lastIndex(of: "/") else { return "bundle" }
    return store[..<slash] + "/bundle"
  }

  private static func makeFolder(_ path: String, strict: Bool) throws(Fault) {
    // Safe: the path's characters are lent for the call.
    guard unsafe hp_private_directory(path, strict ? 1 : 0) != 0 else { return }
    let code = hp_errno()
    if code == EPERM, strict {
      throw Fault(text: "\(path) belongs to somebody else or is open to others")
    }
    throw Fault(text: "\(path): \(errorText(code))")
  }

  private static func checked(_ path: String) throws(Fault) -> String {
    let limit = hp_socket_path_max()
    guard path.utf8.count <= limit else {
      throw Fault(
        text: "the socket path \(path) has \(path.utf8.count) bytes; a socket takes \(limit)")
    }
    return path
  }
}
