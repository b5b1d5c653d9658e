#include "running.h"

#include "hp/editing.h"

hp_reply *hp_run_take_lease(hp_client *client, const hp_envelope *envelope, const char *name,
                            uint64_t seconds) {
  HP_RUN(client, hp_send_take_lease(async, envelope, name, seconds));
}

hp_reply *hp_run_end_lease(hp_client *client, const hp_envelope *envelope, uint64_t lease,
                           const char *name) {
  HP_RUN(client, hp_send_end_lease(async, envelope, lease, name));
}

hp_reply *hp_run_list_leases(hp_client *client, const hp_envelope *envelope) {
  HP_RUN(client, hp_send_list_leases(async, envelope));
}

hp_reply *hp_run_set_editing(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                             hp_set_editing how) {
  HP_RUN(client, hp_send_set_editing(async, envelope, table, how));
}

hp_reply *hp_run_toggle_editing(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                                const bool *expected, bool animated) {
  HP_RUN(client, hp_send_toggle_editing(async, envelope, table, expected, animated));
}

hp_reply *hp_run_commit_editing(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                                hp_row_ref row, hp_editing_style style, const hp_new_row *new_row,
                                hp_animation animation, hp_basis basis) {
  HP_RUN(client, hp_send_commit_editing(async, envelope, table, row, style, new_row, animation,
                                        basis));
}

hp_reply *hp_run_swipe(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                       hp_button_step step, hp_row_ref row, bool leading, hp_animation animation,
                       hp_basis basis) {
  HP_RUN(client, hp_send_swipe(async, envelope, table, step, row, leading, animation, basis));
}

hp_reply *hp_run_confirm(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                         hp_button_step step, hp_row_ref row, hp_animation animation,
                         hp_basis basis) {
  HP_RUN(client, hp_send_confirm(async, envelope, table, step, row, animation, basis));
}

hp_reply *hp_run_drag(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                      hp_drag_step step, hp_row_ref row, const hp_path *target, hp_basis basis) {
  HP_RUN(client, hp_send_drag(async, envelope, table, step, row, target, basis));
}

hp_reply *hp_run_select(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                        const hp_row_ref *rows, size_t count, bool on, bool clear_others,
                        hp_basis basis) {
  HP_RUN(client, hp_send_select(async, envelope, table, rows, count, on, clear_others, basis));
}

hp_reply *hp_run_draft(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                       const hp_draft *draft) {
  HP_RUN(client, hp_send_draft(async, envelope, table, draft));
}

hp_reply *hp_run_get_editing(hp_client *client, const hp_envelope *envelope, hp_table_ref table) {
  HP_RUN(client, hp_send_get_editing(async, envelope, table));
}

hp_reply *hp_run_get_policy(hp_client *client, const hp_envelope *envelope, hp_table_ref table,
                            hp_section_ref section, const hp_row_ref *rows, size_t count) {
  HP_RUN(client, hp_send_get_policy(async, envelope, table, section, rows, count));
}
