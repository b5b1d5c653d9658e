#include "internal.h"

#include <string.h>

/* A block that is kept when the buffer is empty. */
#define HP_BUFFER_KEPT (256 * 1024)

void hp_buffer_init(hp_buffer *buffer, const hp_allocator *allocator) {
  memset(buffer, 0, sizeof *buffer);
  buffer->allocator = allocator;
}

void hp_buffer_free(hp_buffer *buffer) {
  hp_release(buffer->allocator, buffer->bytes);
  hp_buffer_init(buffer, buffer->allocator);
}

bool hp_buffer_reserve(hp_buffer *buffer, size_t more) {
  if (more <= buffer->capacity - buffer->end) return true;
  size_t size = hp_buffer_size(buffer);
  if (more > SIZE_MAX / 4 || size > SIZE_MAX / 4) return false;
  /* Moving down pays only where at least half of the block is free again. */
  if (size + more <= buffer->capacity && buffer->start >= buffer->capacity / 2) {
    memmove(buffer->bytes, buffer->bytes + buffer->start, size);
  } else {
    size_t capacity = buffer->capacity < 512 ? 512 : buffer->capacity * 2;
    while (capacity < size + more) capacity *= 2;
    uint8_t *bytes = hp_allocate(buffer->allocator, capacity);
    if (bytes == NULL) return false;
    if (size > 0) memcpy(bytes, buffer->bytes + buffer->start, size);
    hp_release(buffer->allocator, buffer->bytes);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
  }
  buffer->start = 0;
  buffer->end = size;
  return true;
}

bool hp_buffer_append(hp_buffer *buffer, const void *bytes, size_t size) {
  if (!hp_buffer_reserve(buffer, size)) return false;
  if (size > 0) memcpy(buffer->bytes + buffer->end, bytes, size);
  buffer->end += size;
  return true;
}

void hp_buffer_consume(hp_buffer *buffer, size_t size) {
  buffer->start += size;
  if (buffer->start == buffer->end) hp_buffer_clear(buffer);
}

void hp_buffer_clear(hp_buffer *buffer) {
  buffer->start = 0;
  buffer->end = 0;
  if (buffer->capacity > HP_BUFFER_KEPT) hp_buffer_free(buffer);
}
