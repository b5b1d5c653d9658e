internal import hpclient

// Names and places in the C library's form; titles live in the `CText` that is handed in.

extension hp_row_ref {
  init(_ name: RowName) {
    switch name {
    case .id(let id): self = hp_row_id(id)
    case .handle(let handle): self = hp_row_handle(handle)
    case .path(let path): self = hp_row_at(path.section, path.row)
    }
  }
}

extension hp_section_ref {
  init(_ name: SectionName, _ text: CText) {
    switch name {
    case .id(let id): unsafe self = hp_section_id(id)
    case .title(let title): unsafe self = hp_section_titled(text(title))
    case .handle(let handle): unsafe self = hp_section_handle(handle)
    case .index(let index): unsafe self = hp_section_at(index)
    }
  }
}

extension hp_place {
  init(_ place: Place, _ text: CText) {
    switch place {
    case .standard: unsafe self = hp_place_default()
    case .path(let path): unsafe self = hp_place_path(path.section, path.row)
    case .before(let row): unsafe self = hp_place_before(hp_row_ref(row))
    case .after(let row): unsafe self = hp_place_after(hp_row_ref(row))
    case .first(let name): unsafe self = hp_place_first_of(hp_section_ref(name, text))
    case .last(let name): unsafe self = hp_place_last_of(hp_section_ref(name, text))
    }
  }
}

extension hp_section_place {
  init(_ place: SectionPlace, _ text: CText) {
    switch place {
    case .standard: unsafe self = hp_section_place_default()
    case .index(let index): unsafe self = hp_section_place_index(index)
    case .before(let name): unsafe self = hp_section_place_before(hp_section_ref(name, text))
    case .after(let name): unsafe self = hp_section_place_after(hp_section_ref(name, text))
    }
  }
}
