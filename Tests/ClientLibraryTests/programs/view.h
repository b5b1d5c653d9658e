/*
 * A view of a table as a naive user of the callbacks would keep it: plain lists of ids, changed
 * only by what the stages say, as a UITableView is by its batch updates. After each stage it has
 * to have as many rows in each section as the copy, after each change the same ids.
 */
#ifndef VIEW_H
#define VIEW_H

#include <hp/client.h>

typedef struct view_section {
  uint64_t *ids;
  size_t count;
} view_section;

typedef struct view {
  view_section *sections;
  size_t count;
  bool open; /* between will_change and did_change */
  uint64_t changes;
  uint64_t resets;
  uint64_t reloads; /* of rows */
  const char *fault; /* the first thing that did not fit, or NULL */
} view;

void view_reset(view *view, const hp_copy *copy);
void view_will_change(view *view, const hp_copy *copy, const hp_update *update);
void view_stage(view *view, const hp_copy *copy, const hp_stage *stage);
void view_did_change(view *view, const hp_copy *copy, const hp_update *update);
void view_free(view *view);

#endif
