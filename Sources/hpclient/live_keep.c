#include "live.h"

/* Deep copies: what an event tells lives only as long as the event. */

void hp_keep_cell(hp_maker *maker, hp_cell *to, const hp_cell *from) {
  *to = *from;
  to->column_name = hp_make_text(maker, from->column_name);
  to->text = hp_make_text(maker, from->text);
}

static const hp_cell *keep_optional_cell(hp_maker *maker, const hp_cell *from) {
  hp_cell *to = from == NULL ? NULL : hp_make_array(maker, 1, sizeof *to);
  if (to != NULL) hp_keep_cell(maker, to, from);
  return to;
}

void hp_keep_column(hp_maker *maker, hp_column *to, const hp_column *from) {
  *to = *from;
  to->name = hp_make_text(maker, from->name);
  to->currency = hp_make_text(maker, from->currency);
  to->default_value = keep_optional_cell(maker, from->default_value);
  to->fill = keep_optional_cell(maker, from->fill);
}

const hp_header_footer *hp_keep_header_footer(hp_maker *maker, const hp_header_footer *from) {
  hp_header_footer *to = from == NULL ? NULL : hp_make_array(maker, 1, sizeof *to);
  if (to == NULL) return NULL;
  *to = *from;
  to->title = hp_make_text(maker, from->title);
  to->view = hp_make_text(maker, from->view);
  to->owner = hp_make_text(maker, from->owner);
  to->language = hp_make_text(maker, from->language);
  return to;
}

static const hp_sentinel *keep_sentinel(hp_maker *maker, const hp_sentinel *from) {
  hp_sentinel *to = from == NULL ? NULL : hp_make_array(maker, 1, sizeof *to);
  if (to == NULL) return NULL;
  *to = *from;
  to->text = hp_make_text(maker, from->text);
  return to;
}

void hp_keep_section(hp_maker *maker, hp_section *to, const hp_section *from) {
  *to = *from;
  to->title = hp_make_text(maker, from->title);
  to->header = hp_keep_header_footer(maker, from->header);
  to->footer = hp_keep_header_footer(maker, from->footer);
  to->sentinel = keep_sentinel(maker, from->sentinel);
  to->policy = hp_keep_policy(maker, from->policy);
}

const hp_policy *hp_keep_policy(hp_maker *maker, const hp_policy *from) {
  hp_policy *to = from == NULL ? NULL : hp_make_array(maker, 1, sizeof *to);
  if (to == NULL) return NULL;
  *to = *from;
  to->delete_title = hp_make_text(maker, from->delete_title);
  return to;
}
