#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* The smallest chunk. Tests build with 1, so that every object is a chunk of its own. */
#ifndef HP_ARENA_CHUNK
#define HP_ARENA_CHUNK 512
#endif
#define HP_ARENA_CHUNK_MAX (1024 * 1024)

static void *allocate_by_malloc(void *context, size_t size) {
  (void)context;
  return malloc(size);
}

static void release_by_free(void *context, void *memory) {
  (void)context;
  free(memory);
}

hp_allocator hp_allocator_or_default(const hp_allocator *allocator) {
  if (allocator != NULL) return *allocator;
  hp_allocator standard = {allocate_by_malloc, release_by_free, NULL};
  return standard;
}

void *hp_allocate(const hp_allocator *allocator, size_t size) {
  return allocator->allocate(allocator->context, size);
}

void hp_release(const hp_allocator *allocator, void *memory) {
  if (memory != NULL) allocator->release(allocator->context, memory);
}

char *hp_copy_text(const hp_allocator *allocator, const char *text, bool *failed) {
  if (text == NULL) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = hp_allocate(allocator, size);
  if (copy == NULL) {
    *failed = true;
    return NULL;
  }
  memcpy(copy, text, size);
  return copy;
}

typedef struct hp_chunk {
  struct hp_chunk *next;
  size_t size;
  size_t used;
} hp_chunk;

struct hp_arena {
  hp_allocator allocator; /* a copy: replies and events outlive their connection */
  hp_chunk *first;
  hp_chunk *current;
  size_t bytes;
};

static size_t aligned(size_t size) {
  size_t unit = _Alignof(max_align_t);
  return (size + unit - 1) / unit * unit;
}

static hp_chunk *new_chunk(const hp_allocator *allocator, size_t room) {
  size_t head = aligned(sizeof(hp_chunk));
  if (room > SIZE_MAX / 2) return NULL;
  hp_chunk *chunk = hp_allocate(allocator, head + room);
  if (chunk == NULL) return NULL;
  chunk->next = NULL;
  chunk->size = head + room;
  chunk->used = head;
  return chunk;
}

hp_arena *hp_arena_new(const hp_allocator *allocator, size_t expected) {
  size_t room = aligned(sizeof(hp_arena));
  if (HP_ARENA_CHUNK > 1) {
    room += expected < HP_ARENA_CHUNK       ? HP_ARENA_CHUNK
            : expected < HP_ARENA_CHUNK_MAX ? aligned(expected)
                                            : HP_ARENA_CHUNK_MAX;
  }
  hp_chunk *chunk = new_chunk(allocator, room);
  if (chunk == NULL) return NULL;
  hp_arena *arena = (hp_arena *)((uint8_t *)chunk + chunk->used);
  chunk->used += aligned(sizeof(hp_arena));
  arena->allocator = *allocator;
  arena->first = chunk;
  arena->current = chunk;
  arena->bytes = chunk->size;
  return arena;
}

void *hp_arena_take(hp_arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) return NULL;
  size_t need = size == 0 ? aligned(1) : aligned(size);
  hp_chunk *chunk = arena->current;
  if (chunk->size - chunk->used < need) {
    size_t room = HP_ARENA_CHUNK > 1 ? chunk->size * 2 : 0;
    if (room > HP_ARENA_CHUNK_MAX) room = HP_ARENA_CHUNK_MAX;
    if (room < need) room = need;
    hp_chunk *more = new_chunk(&arena->allocator, room);
    if (more == NULL) return NULL;
    chunk->next = more;
    arena->current = more;
    arena->bytes += more->size;
    chunk = more;
  }
  void *taken = (uint8_t *)chunk + chunk->used;
  chunk->used += need;
  return taken;
}

void *hp_arena_take_array(hp_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 4 / size) return NULL;
  return hp_arena_take(arena, count * size);
}

void hp_arena_reset(hp_arena *arena) {
  hp_chunk *chunk = arena->first->next;
  while (chunk != NULL) {
    hp_chunk *next = chunk->next;
    hp_release(&arena->allocator, chunk);
    chunk = next;
  }
  arena->first->next = NULL;
  arena->first->used = aligned(sizeof(hp_chunk)) + aligned(sizeof(hp_arena));
  arena->current = arena->first;
  arena->bytes = arena->first->size;
}

size_t hp_arena_bytes(const hp_arena *arena) { return arena->bytes; }

void hp_arena_free(hp_arena *arena) {
  if (arena == NULL) return;
  hp_allocator allocator = arena->allocator;
  hp_chunk *chunk = arena->first;
  while (chunk != NULL) {
    hp_chunk *next = chunk->next;
    hp_release(&allocator, chunk);
    chunk = next;
  }
}
