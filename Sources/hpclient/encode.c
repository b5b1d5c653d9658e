#include "internal.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

void hp_writer_init(hp_writer *writer, hp_buffer *out) {
  writer->out = out;
  writer->fault = HP_ERROR_NONE;
  writer->why = "";
  writer->elements = 0;
}

void hp_writer_fail(hp_writer *writer, hp_error_kind fault, const char *why) {
  if (writer->fault != HP_ERROR_NONE) return;
  writer->fault = fault;
  writer->why = why;
}

void hp_write_raw(hp_writer *writer, const void *bytes, size_t size) {
  if (writer->fault != HP_ERROR_NONE) return;
  if (!hp_buffer_append(writer->out, bytes, size)) {
    hp_writer_fail(writer, HP_ERROR_MEMORY, "no memory for the request");
  }
}

static size_t put_varint(uint8_t *bytes, uint64_t value) {
  size_t size = 0;
  while (value >= 0x80) {
    bytes[size++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  bytes[size++] = (uint8_t)value;
  return size;
}

static void write_tag(hp_writer *writer, uint32_t number, unsigned wire) {
  uint8_t bytes[10];
  hp_write_raw(writer, bytes, put_varint(bytes, (uint64_t)number << 3 | wire));
}

void hp_write_uint(hp_writer *writer, uint32_t number, uint64_t value) {
  uint8_t bytes[10];
  write_tag(writer, number, WIRE_VARINT);
  hp_write_raw(writer, bytes, put_varint(bytes, value));
}

void hp_write_sint(hp_writer *writer, uint32_t number, int64_t value) {
  uint64_t sign = value < 0 ? UINT64_MAX : 0;
  hp_write_uint(writer, number, ((uint64_t)value << 1) ^ sign);
}

void hp_write_bool(hp_writer *writer, uint32_t number, bool value) {
  hp_write_uint(writer, number, value ? 1 : 0);
}

void hp_write_fixed64(hp_writer *writer, uint32_t number, uint64_t value) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (8 * i));
  write_tag(writer, number, WIRE_FIXED64);
  hp_write_raw(writer, bytes, sizeof bytes);
}

void hp_write_double(hp_writer *writer, uint32_t number, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  hp_write_fixed64(writer, number, bits);
}

void hp_write_bytes(hp_writer *writer, uint32_t number, const void *bytes, size_t size) {
  uint8_t length[10];
  write_tag(writer, number, WIRE_BYTES);
  hp_write_raw(writer, length, put_varint(length, size));
  hp_write_raw(writer, bytes, size);
}

void hp_write_text(hp_writer *writer, uint32_t number, const char *text) {
  if (text == NULL || writer->fault != HP_ERROR_NONE) return;
  size_t size = strlen(text);
  if (!hp_text_is_valid((const uint8_t *)text, size)) {
    hp_writer_fail(writer, HP_ERROR_ARGUMENT, "a text is not valid UTF-8");
    return;
  }
  hp_write_bytes(writer, number, text, size);
}

void hp_write_name(hp_writer *writer, uint32_t number, const char *text, const char *why) {
  if (text == NULL) hp_writer_fail(writer, HP_ERROR_ARGUMENT, why);
  hp_write_text(writer, number, text);
}

void hp_write_packed(hp_writer *writer, uint32_t number, const uint64_t *values, size_t count) {
  if (count == 0) return;
  size_t mark = hp_write_begin(writer, number);
  writer->elements += count;
  uint8_t bytes[10];
  for (size_t i = 0; i < count && writer->fault == HP_ERROR_NONE; i++) {
    hp_write_raw(writer, bytes, put_varint(bytes, values[i]));
  }
  hp_write_end(writer, mark);
}

size_t hp_write_begin(hp_writer *writer, uint32_t number) {
  uint8_t room = 0;
  if (number != 0) {
    write_tag(writer, number, WIRE_BYTES);
    writer->elements += 1;
  }
  hp_write_raw(writer, &room, 1);
  /* Relative to `start`: growing moves the bytes down. */
  return hp_buffer_size(writer->out);
}

void hp_write_end(hp_writer *writer, size_t mark) {
  if (writer->fault != HP_ERROR_NONE) return;
  hp_buffer *out = writer->out;
  size_t size = hp_buffer_size(out) - mark;
  uint8_t length[10];
  size_t need = put_varint(length, size);
  if (!hp_buffer_reserve(out, need - 1)) {
    hp_writer_fail(writer, HP_ERROR_MEMORY, "no memory for the request");
    return;
  }
  uint8_t *message = out->bytes + out->start + mark;
  if (need > 1) memmove(message + need - 1, message, size);
  memcpy(message - 1, length, need);
  out->end += need - 1;
}
