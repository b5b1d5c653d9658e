#include "make.h"

#include <string.h>

void hp_maker_fail(hp_maker *maker, hp_error_kind fault, const char *why) {
  if (maker->fault != HP_ERROR_NONE) return;
  maker->fault = fault;
  maker->why = why;
}

void *hp_make_array(hp_maker *maker, size_t count, size_t size) {
  if (count == 0 || maker->fault != HP_ERROR_NONE) return NULL;
  void *made = hp_arena_take_array(maker->arena, count, size);
  if (made == NULL) {
    hp_maker_fail(maker, HP_ERROR_MEMORY, "no memory for what was received");
    return NULL;
  }
  memset(made, 0, count * size);
  return made;
}

const uint8_t *hp_make_bytes(hp_maker *maker, const uint8_t *bytes, size_t size) {
  uint8_t *copy = hp_make_array(maker, size, 1);
  if (copy != NULL) memcpy(copy, bytes, size);
  return copy;
}

const char *hp_make_text(hp_maker *maker, const char *text) {
  if (text == NULL) return NULL;
  return (const char *)hp_make_bytes(maker, (const uint8_t *)text, strlen(text) + 1);
}

const void *hp_make_each(hp_maker *maker, const void *const *messages, size_t count, size_t size,
                         hp_make_one *make) {
  uint8_t *made = hp_make_array(maker, count, size);
  if (made == NULL) return NULL;
  for (size_t i = 0; i < count && maker->fault == HP_ERROR_NONE; i++) {
    make(maker, messages[i], made + i * size);
  }
  return made;
}

const void *hp_make_optional(hp_maker *maker, const void *message, size_t size,
                             hp_make_one *make) {
  return message == NULL ? NULL : hp_make_each(maker, &message, 1, size, make);
}

const uint64_t *hp_make_numbers(hp_maker *maker, const uint64_t *numbers, size_t count) {
  uint64_t *made = hp_make_array(maker, count, sizeof *made);
  if (made != NULL) memcpy(made, numbers, count * sizeof *made);
  return made;
}

const char *const *hp_make_texts(hp_maker *maker, char *const *texts, size_t count) {
  const char **made = hp_make_array(maker, count, sizeof *made);
  for (size_t i = 0; made != NULL && i < count; i++) made[i] = hp_make_text(maker, texts[i]);
  return made;
}

static void *take_scratch(void *arena, size_t size) { return hp_arena_take(arena, size); }

static void keep_scratch(void *arena, void *memory) {
  (void)arena;
  (void)memory;
}

void *hp_make_unpack(hp_maker *maker, const ProtobufCMessageDescriptor *descriptor,
                     const uint8_t *bytes, size_t size) {
  if (maker->fault != HP_ERROR_NONE) return NULL;
  ProtobufCAllocator allocator = {take_scratch, keep_scratch, maker->scratch};
  void *message = protobuf_c_message_unpack(descriptor, &allocator, size, bytes);
  if (message == NULL) {
    /* hp_scan has passed the bytes: what is left to go wrong is memory. */
    hp_maker_fail(maker, HP_ERROR_MEMORY, "no memory for what was received");
  }
  return message;
}
