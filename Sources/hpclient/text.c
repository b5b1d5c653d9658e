#include "internal.h"

static bool is_tail(uint8_t byte) { return (byte & 0xc0) == 0x80; }

bool hp_text_is_valid(const uint8_t *bytes, size_t size) {
  size_t at = 0;
  while (at < size) {
    uint8_t first = bytes[at];
    size_t left = size - at;
    if (first == 0) return false;
    if (first < 0x80) {
      at += 1;
    } else if (first < 0xc2) {
      return false; /* a tail byte, or longer than it needs to be */
    } else if (first < 0xe0) {
      if (left < 2 || !is_tail(bytes[at + 1])) return false;
      at += 2;
    } else if (first < 0xf0) {
      if (left < 3 || !is_tail(bytes[at + 1]) || !is_tail(bytes[at + 2])) return false;
      if (first == 0xe0 && bytes[at + 1] < 0xa0) return false;
      if (first == 0xed && bytes[at + 1] > 0x9f) return false; /* surrogates */
      at += 3;
    } else if (first < 0xf5) {
      if (left < 4 || !is_tail(bytes[at + 1]) || !is_tail(bytes[at + 2]) ||
          !is_tail(bytes[at + 3])) {
        return false;
      }
      if (first == 0xf0 && bytes[at + 1] < 0x90) return false;
      if (first == 0xf4 && bytes[at + 1] > 0x8f) return false; /* above U+10FFFF */
      at += 4;
    } else {
      return false;
    }
  }
  return true;
}
