// swift-tools-version: 6.2
import PackageDescription

// Built and run by Benchmarks/run.sh.
let package = Package(
  name: "parse",
  dependencies: [.package(name: "hpd", path: "../..")],
  targets: [
    .systemLibrary(name: "CXMLTree", pkgConfig: "libxml-2.0"),
    .executableTarget(
      name: "NibSpeed", dependencies: ["CXMLTree", .product(name: "Nib", package: "hpd")]),
  ],
  swiftLanguageModes: [.v6]
)
