#include "live.h"

#include <string.h>

/*
 * Images of rows. A cell is: its column and kind in one varint (column * 8 + kind), then a number
 * as zigzag varint, or a text as its length and bytes with a NUL behind them, so that it can be
 * handed out where it lies.
 */

#define HP_IMAGE_HEAD (offsetof(hp_image, size) + sizeof(uint32_t))

/* The pool: blocks of whole units up to a size, cut from chunks; larger ones stand alone. With
 * HP_ARENA_CHUNK 1 all do, so that a sanitizer sees every one of them. */
#define HP_POOL_UNIT 8
#if defined(HP_ARENA_CHUNK) && HP_ARENA_CHUNK == 1
#define HP_POOL_UNITS 0
#else
#define HP_POOL_UNITS 64
#endif
#define HP_POOL_CHUNK (64 * 1024)

typedef struct hp_pool_chunk {
  struct hp_pool_chunk *next;
  struct hp_pool_chunk *before; /* of large blocks */
} hp_pool_chunk;

void hp_pool_init(hp_pool *pool, const hp_allocator *allocator) {
  memset(pool, 0, sizeof *pool);
  pool->allocator = allocator;
}

static void free_chain(const hp_allocator *allocator, hp_pool_chunk *chunk) {
  while (chunk != NULL) {
    hp_pool_chunk *next = chunk->next;
    hp_release(allocator, chunk);
    chunk = next;
  }
}

void hp_pool_free_all(hp_pool *pool) {
  free_chain(pool->allocator, pool->chunks);
  free_chain(pool->allocator, pool->large);
  hp_pool_init(pool, pool->allocator);
}

static size_t units_of(size_t size) { return (size + HP_POOL_UNIT - 1) / HP_POOL_UNIT; }

static void *pool_take(hp_pool *pool, size_t size) {
  size_t units = units_of(size);
  if (units > HP_POOL_UNITS) {
    hp_pool_chunk *block = hp_allocate(pool->allocator, sizeof *block + size);
    if (block == NULL) return NULL;
    block->before = NULL;
    block->next = pool->large;
    if (pool->large != NULL) pool->large->before = block;
    pool->large = block;
    pool->bytes += sizeof *block + size;
    return block + 1;
  }
  void **first = &pool->free[units - 1];
  if (*first != NULL) {
    void *block = *first;
    memcpy(first, block, sizeof *first);
    return block;
  }
  size_t bytes = units * HP_POOL_UNIT;
  if (pool->chunks == NULL || HP_POOL_CHUNK - pool->used < bytes) {
    hp_pool_chunk *chunk = hp_allocate(pool->allocator, HP_POOL_CHUNK);
    if (chunk == NULL) return NULL;
    /* What is left of the old one serves smaller images. */
    if (pool->chunks != NULL) {
      size_t left = (HP_POOL_CHUNK - pool->used) / HP_POOL_UNIT;
      if (left > 0) {
        void *rest = (uint8_t *)pool->chunks + pool->used;
        memcpy(rest, &pool->free[left - 1], sizeof(void *));
        pool->free[left - 1] = rest;
      }
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->used = sizeof *chunk;
    pool->bytes += HP_POOL_CHUNK;
  }
  void *block = (uint8_t *)pool->chunks + pool->used;
  pool->used += bytes;
  return block;
}

static void pool_give(hp_pool *pool, void *memory, size_t size) {
  size_t units = units_of(size);
  if (units <= HP_POOL_UNITS) {
    memcpy(memory, &pool->free[units - 1], sizeof(void *));
    pool->free[units - 1] = memory;
    return;
  }
  hp_pool_chunk *block = (hp_pool_chunk *)memory - 1;
  if (block->next != NULL) block->next->before = block->before;
  if (block->before != NULL) {
    block->before->next = block->next;
  } else {
    pool->large = block->next;
  }
  pool->bytes -= sizeof *block + size;
  hp_release(pool->allocator, block);
}

static size_t varint_size(uint64_t value) {
  size_t size = 1;
  for (; value > 127; value >>= 7) size++;
  return size;
}

static uint8_t *put_varint(uint8_t *at, uint64_t value) {
  for (; value > 127; value >>= 7) *at++ = (uint8_t)(value | 128);
  *at++ = (uint8_t)value;
  return at;
}

static const uint8_t *get_varint(const uint8_t *at, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    *value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return at;
  }
}

static uint64_t zigzag(int64_t value) {
  return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t value) {
  return (int64_t)((value >> 1) ^ (~(value & 1) + 1));
}

hp_image *hp_image_make(hp_pool *pool, const hp_row *row) {
  size_t size = 0;
  for (size_t i = 0; i < row->cell_count; i++) {
    const hp_cell *cell = &row->cells[i];
    if (cell->kind == HP_NULL) continue;
    size += varint_size(cell->column << 3);
    if (cell->kind == HP_TEXT) {
      size_t length = strlen(cell->text);
      size += varint_size(length) + length + 1;
    } else {
      size += varint_size(zigzag(cell->number));
    }
  }
  if (size > UINT32_MAX / 2) return NULL;
  hp_image *image = pool_take(pool, HP_IMAGE_HEAD + size);
  if (image == NULL) return NULL;
  image->id = row->id;
  image->revision = row->revision;
  image->size = (uint32_t)size;
  uint8_t *at = (uint8_t *)image + HP_IMAGE_HEAD;
  for (size_t i = 0; i < row->cell_count; i++) {
    const hp_cell *cell = &row->cells[i];
    if (cell->kind == HP_NULL) continue;
    at = put_varint(at, cell->column << 3 | (uint64_t)cell->kind);
    if (cell->kind == HP_TEXT) {
      size_t length = strlen(cell->text);
      at = put_varint(at, length);
      memcpy(at, cell->text, length + 1);
      at += length + 1;
    } else {
      at = put_varint(at, zigzag(cell->number));
    }
  }
  return image;
}

void hp_image_free(hp_pool *pool, hp_image *image) {
  pool_give(pool, image, HP_IMAGE_HEAD + image->size);
}

bool hp_image_next(const hp_image *image, size_t *at, hp_cell *cell) {
  if (*at >= image->size) return false;
  const uint8_t *cells = (const uint8_t *)image + HP_IMAGE_HEAD;
  uint64_t value = 0;
  const uint8_t *next = get_varint(cells + *at, &value);
  cell->column = value >> 3;
  cell->column_name = NULL;
  cell->kind = (hp_kind)(value & 7);
  cell->text = NULL;
  cell->number = 0;
  next = get_varint(next, &value);
  if (cell->kind == HP_TEXT) {
    cell->text = (const char *)next;
    next += value + 1;
  } else {
    cell->number = unzigzag(value);
  }
  *at = (size_t)(next - cells);
  return true;
}
