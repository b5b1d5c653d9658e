#include "internal.h"

#include <string.h>

#include "hp/v1/frame.pb-c.h"

int hp_frame_length(const uint8_t *bytes, size_t size, size_t limit, size_t *prefix,
                    size_t *length) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) {
    if (i == 4 && bytes[i] > 0x0f) return -1;
    value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if (bytes[i] >= 0x80) continue;
    if (value > limit) return -1;
    *prefix = i + 1;
    *length = (size_t)value;
    return 1;
  }
  return 0;
}

/* One field of a message that hp_scan has passed. */
typedef struct field {
  uint32_t number;
  uint64_t value; /* varints */
  const uint8_t *bytes;
  size_t size;
} field;

static size_t next_field(const uint8_t *bytes, size_t size, size_t at, field *out) {
  uint64_t tag = 0;
  memset(out, 0, sizeof *out);
  at += hp_scan_varint(bytes + at, size - at, &tag);
  out->number = (uint32_t)(tag >> 3);
  switch (tag & 7) {
    case 0: return at + hp_scan_varint(bytes + at, size - at, &out->value);
    case 1: return at + 8;
    case 5: return at + 4;
    default:
      at += hp_scan_varint(bytes + at, size - at, &out->value);
      out->bytes = bytes + at;
      out->size = (size_t)out->value;
      return at + out->size;
  }
}

const char *hp_frame_parse(const uint8_t *bytes, size_t size, hp_frame *frame) {
  memset(frame, 0, sizeof *frame);
  size_t elements = HP_FRAME_ELEMENTS;
  const char *why = hp_scan(&hp__v1__server_frame__descriptor, bytes, size, 0, &elements);
  if (why != NULL) return why;

  field outer = {0, 0, NULL, 0};
  const uint8_t *inside = NULL;
  size_t inside_size = 0;
  for (size_t at = 0; at < size;) {
    at = next_field(bytes, size, at, &outer);
    if (outer.number < HP_FRAME_REPLY || outer.number > HP_FRAME_GOODBYE) continue;
    frame->kind = (hp_frame_kind)outer.number;
    inside = outer.bytes;
    inside_size = outer.size;
  }
  if (inside == NULL) return "a frame is neither reply nor event nor goodbye";
  if (frame->kind == HP_FRAME_GOODBYE) {
    frame->body = inside;
    frame->size = inside_size;
    return NULL;
  }

  const ProtobufCMessageDescriptor *descriptor = frame->kind == HP_FRAME_REPLY
                                                     ? &hp__v1__reply__descriptor
                                                     : &hp__v1__event__descriptor;
  for (size_t at = 0; at < inside_size;) {
    field part;
    at = next_field(inside, inside_size, at, &part);
    if (part.number >= 16) {
      if (protobuf_c_message_descriptor_get_field(descriptor, part.number) == NULL) continue;
      frame->number = part.number;
      frame->body = part.bytes;
      frame->size = part.size;
    } else if (frame->kind == HP_FRAME_REPLY) {
      if (part.number == 1) frame->id = part.value;
      if (part.number == 2) frame->more = part.value != 0;
    } else {
      if (part.number == 1) frame->subscription = part.value;
      if (part.number == 2) frame->from = part.value;
      if (part.number == 3) frame->part = (uint32_t)part.value;
      if (part.number == 4) frame->last = part.value != 0;
    }
  }
  return NULL;
}
