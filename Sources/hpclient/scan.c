#include "internal.h"

#include <protobuf-c/protobuf-c.h>

/* Nesting of messages (SPEC 9). */
#define HP_DEPTH 16

#define IS_ONEOF(field) (((field)->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0)

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

size_t hp_scan_varint(const uint8_t *bytes, size_t size, uint64_t *value) {
  uint64_t result = 0;
  for (size_t i = 0; i < size && i < 10; i++) {
    if (i == 9 && bytes[i] > 1) return 0;
    result |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if (bytes[i] < 0x80) {
      *value = result;
      return i + 1;
    }
  }
  return 0;
}

static unsigned wire_of(ProtobufCType type) {
  switch (type) {
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FLOAT: return WIRE_FIXED32;
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: return WIRE_FIXED64;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE: return WIRE_BYTES;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_SINT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_BOOL:
    case PROTOBUF_C_TYPE_ENUM:
    default: return WIRE_VARINT;
  }
}

/* protobuf-c keeps the low bits of what does not fit, so it has to be refused here. */
static bool fits(ProtobufCType type, uint64_t value) {
  switch (type) {
    case PROTOBUF_C_TYPE_BOOL: return value <= 1;
    case PROTOBUF_C_TYPE_UINT32:
    case PROTOBUF_C_TYPE_SINT32: return value <= UINT32_MAX;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_ENUM: return value <= INT32_MAX || value >= UINT64_MAX - INT32_MAX;
    default: return true;
  }
}

static const char *scan_packed(ProtobufCType type, const uint8_t *bytes, size_t size,
                               size_t *elements) {
  unsigned wire = wire_of(type);
  size_t at = 0;
  while (at < size) {
    uint64_t value = 0;
    size_t length;
    if (wire == WIRE_VARINT) {
      length = hp_scan_varint(bytes + at, size - at, &value);
      if (length == 0) return "a packed field is cut";
      if (!fits(type, value)) return "a number is too wide for its field";
    } else {
      length = wire == WIRE_FIXED64 ? 8 : 4;
      if (size - at < length) return "a packed field is cut";
    }
    if (*elements == 0) return "a frame has too many elements";
    *elements -= 1;
    at += length;
  }
  return NULL;
}

static const char *scan_bytes(const ProtobufCFieldDescriptor *field, const uint8_t *bytes,
                              size_t size, unsigned depth, size_t *elements) {
  switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
      return hp_text_is_valid(bytes, size) ? NULL : "a text is not valid UTF-8";
    case PROTOBUF_C_TYPE_BYTES: return NULL;
    case PROTOBUF_C_TYPE_MESSAGE:
      return hp_scan(field->descriptor, bytes, size, depth + 1, elements);
    default: return scan_packed(field->type, bytes, size, elements);
  }
}

const char *hp_scan(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                    size_t size, unsigned depth, size_t *elements) {
  if (depth > HP_DEPTH) return "messages are nested too deeply";
  uint64_t seen = 0;      /* singular fields, by their place in the descriptor */
  uint64_t seen_oneof = 0; /* by the place of the first member */
  size_t at = 0;
  while (at < size) {
    uint64_t tag, value = 0;
    size_t length = hp_scan_varint(bytes + at, size - at, &tag);
    if (length == 0) return "a tag is cut";
    at += length;
    unsigned wire = (unsigned)(tag & 7);
    if (tag >> 3 == 0 || tag >> 3 >= (uint64_t)1 << 29) return "a field number is out of range";

    const uint8_t *content = bytes + at;
    switch (wire) {
      case WIRE_VARINT:
        length = hp_scan_varint(content, size - at, &value);
        if (length == 0) return "a number is cut";
        break;
      case WIRE_FIXED64: length = 8; break;
      case WIRE_FIXED32: length = 4; break;
      case WIRE_BYTES: {
        size_t prefix = hp_scan_varint(content, size - at, &value);
        if (prefix == 0) return "a length is cut";
        at += prefix;
        content += prefix;
        if (value > size - at) return "a length runs past its message";
        length = (size_t)value;
        break;
      }
      default: return "a wire type is not allowed";
    }
    if (length > size - at) return "a field is cut";
    at += length;

    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field(descriptor, (unsigned)(tag >> 3));
    bool repeated = field != NULL && field->label == PROTOBUF_C_LABEL_REPEATED;
    if (field == NULL || repeated || field->type == PROTOBUF_C_TYPE_MESSAGE) {
      if (*elements == 0) return "a frame has too many elements";
      *elements -= 1;
    }
    if (field == NULL) continue; /* a newer server's (contract K7) */

    if (!repeated) {
      size_t place = (size_t)(field - descriptor->fields);
      if (place < 64) {
        if (seen >> place & 1) return "a field is set twice";
        seen |= (uint64_t)1 << place;
      }
      if (IS_ONEOF(field)) {
        /* No message of the schema has two oneofs, so one mark is enough. */
        if (seen_oneof != 0) return "a choice is made twice";
        seen_oneof = 1;
      }
    }
    bool packed = repeated && wire == WIRE_BYTES && wire_of(field->type) != WIRE_BYTES;
    if (wire != wire_of(field->type) && !packed) return "a field has another wire type";
    if (wire == WIRE_VARINT && !fits(field->type, value)) {
      return "a number is too wide for its field";
    }
    if (wire == WIRE_BYTES) {
      const char *why = scan_bytes(field, content, length, depth, elements);
      if (why != NULL) return why;
    }
  }
  return NULL;
}
