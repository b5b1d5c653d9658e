/* Memory for what is large and stays: from regions for which the kernel is asked for large pages, so
 * that walking it at random costs fewer looks into page tables. Any thread may give back. */
#ifndef HP_PAGES_H
#define HP_PAGES_H

#include <stddef.h>

/** Takes `size` bytes, at most 16 MiB; they begin at a page and are zero. NULL when memory runs out. */
void *hp_pages_take(size_t size);
/** Gives back all that one call took; the system has it at once. */
void hp_pages_give(void *memory, size_t size);

#endif
