/// What an element of a .xib file means, by its name.
enum NibElement: UInt8 {
  /// An object, of the class that `className` tells.
  case object
  case subviews
  /// Holds objects under its own name as their key.
  case container
  case document
  case archive
  case objects
  case placeholder
  case connections
  case outlet
  case outletCollection
  case action
  case rect
  case autoresizingMask
  case state
  case string
  case color
  case constraints
  case constraint
  /// Not read, nor anything within it.
  case other

  /// The element with a name.
  init(name: String) { self = NibElement.known[name] ?? .other }

  /// The class of the objects that an element stands for.
  static func className(_ name: String) -> String { classes[name] ?? "" }

  private static let known: [String: NibElement] = {
    var known: [String: NibElement] = [
      "document": .document, "archive": .archive, "objects": .objects,
      "placeholder": .placeholder, "connections": .connections, "outlet": .outlet,
      "outletCollection": .outletCollection, "action": .action, "rect": .rect,
      "autoresizingMask": .autoresizingMask, "state": .state, "string": .string,
      "mutableString": .string, "color": .color, "constraints": .constraints,
      "constraint": .constraint, "subviews": .subviews,
    ]
    for name in containers { known[name] = .container }
    for name in classes.keys { known[name] = .object }
    return known
  }()

  private static let containers = [
    "items", "leftBarButtonItems", "rightBarButtonItems", "prototypes", "sections", "cells",
    "viewControllers",
  ]

  private static let classes = [
    "view": "UIView", "control": "UIControl", "button": "UIButton", "label": "UILabel",
    "textField": "UITextField", "textView": "UITextView", "imageView": "UIImageView",
    "switch": "UISwitch", "slider": "UISlider", "stepper": "UIStepper",
    "segmentedControl": "UISegmentedControl", "progressView": "UIProgressView",
    "activityIndicatorView": "UIActivityIndicatorView", "pageControl": "UIPageControl",
    "datePicker": "UIDatePicker", "pickerView": "UIPickerView", "searchBar": "UISearchBar",
    "scrollView": "UIScrollView", "stackView": "UIStackView", "containerView": "UIView",
    "visualEffectView": "UIVisualEffectView", "webView": "UIWebView", "wkWebView": "WKWebView",
    "mapView": "MKMapView", "toolbar": "UIToolbar", "navigationBar": "UINavigationBar",
    "tabBar": "UITabBar", "window": "UIWindow", "tableView": "UITableView",
    "tableViewSection": "UITableViewSection", "tableViewCell": "UITableViewCell",
    "tableViewCellContentView": "UITableViewCellContentView",
    "collectionView": "UICollectionView", "collectionViewCell": "UICollectionViewCell",
    "collectionReusableView": "UICollectionReusableView",
    "barButtonItem": "UIBarButtonItem", "navigationItem": "UINavigationItem",
    "tabBarItem": "UITabBarItem", "customObject": "NSObject",
    "viewController": "UIViewController", "tableViewController": "UITableViewController",
    "navigationController": "UINavigationController", "tabBarController": "UITabBarController",
    "tapGestureRecognizer": "UITapGestureRecognizer",
    "pinchGestureRecognizer": "UIPinchGestureRecognizer",
    "rotationGestureRecognizer": "UIRotationGestureRecognizer",
    "swipeGestureRecognizer": "UISwipeGestureRecognizer",
    "panGestureRecognizer": "UIPanGestureRecognizer",
    "pongPressGestureRecognizer": "UILongPressGestureRecognizer",
  ]
}

/// Attributes that mean something to the reader, by their names.
enum NibAttribute: String {
  case id, key, customClass, customModule, customModuleProvider, title, text, placeholder, hidden
  case enabled, type, property, destination, selector, eventType
  case x, y, width, height
  case white, red, green, blue, cyan, magenta, yellow, black, alpha, name, systemColor
  case cocoaTouchSystemColor
  case firstItem, firstAttribute, relation, secondItem, secondAttribute, constant, multiplier
  case priority
  case base64 = "base64-UTF8"
}
