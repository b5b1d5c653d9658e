/* Every test, for main.c. */
#ifndef TESTS_H
#define TESTS_H

#define ALL_TESTS(X)                               \
  X(sends_the_hello_first)                         \
  X(sends_plain_requests)                          \
  X(sends_transfers)                               \
  X(declares_that_there_are_no_sections)           \
  X(sends_table_requests)                          \
  X(sends_an_insert)                               \
  X(sends_keys_and_conditions)                     \
  X(sends_column_operations)                       \
  X(sends_every_operation_of_a_sequence)           \
  X(sends_every_operation_of_a_transition)         \
  X(encodes_as_protobuf_would)                     \
  X(sends_a_filtered_subscription)                 \
  X(sends_filters)                                 \
  X(refuses_a_sum_of_nothing)                      \
  X(sends_operations_on_many_rows)                 \
  X(refuses_what_cannot_be_said)                   \
  X(keeps_to_the_frame_limit)                      \
  X(reads_the_hello)                               \
  X(reads_golden_replies)                          \
  X(reads_golden_events)                           \
  X(reads_golden_goodbyes)                         \
  X(finds_cells_by_column)                         \
  X(joins_the_parts_of_a_change)                   \
  X(hands_over_parts_on_request_and_beyond_the_limit) \
  X(an_error_ends_the_parts_of_a_reply)           \
  X(joins_the_parts_of_a_reply)                    \
  X(skips_what_a_newer_server_says)                \
  X(takes_frames_cut_at_every_byte)                \
  X(keeps_many_requests_in_flight)                 \
  X(stops_at_the_servers_limit_of_requests)        \
  X(tells_the_reason_of_a_goodbye_after_a_failed_write) \
  X(tells_of_an_end_without_a_reason)              \
  X(may_be_freed_in_any_callback)                  \
  X(may_send_and_close_in_callbacks)               \
  X(ends_when_the_hello_does_not_come)             \
  X(connects_or_says_why_not)                      \
  X(waits_for_a_full_listener)                     \
  X(ends_typed_when_the_server_lies)               \
  X(survives_damaged_frames)                       \
  X(survives_random_frames)                        \
  X(survives_every_failing_allocation)             \
  X(events_and_replies_outlive_their_connection)   \
  X(runs_requests_and_waits)                       \
  X(keeps_an_error_until_it_is_cleared)            \
  X(receives_pipelined_replies_in_any_order)       \
  X(waits_for_events)                              \
  X(bounds_the_events_that_wait)                   \
  X(times_out_and_goes_on)                         \
  X(ends_with_a_goodbye)                           \
  X(survives_failing_allocations_while_it_waits)   \
  X(says_when_it_is_not_connected)                 \
  X(finds_the_socket)                              \
  X(checks_text)                                   \
  X(names_codes)                                   \
  X(sends_what_is_loaded)                          \
  X(reads_a_nib)                                   \
  X(joins_the_parts_of_a_nib)                      \
  X(refuses_nodes_out_of_order)                    \
  X(keeps_slots_in_order)                          \
  X(finds_ids)                                     \
  X(keeps_rows_as_images)                          \
  X(sorts_without_memory)                          \
  X(folds_golden_events)                           \
  X(folds_random_changes_as_plain_lists_do)        \
  X(folds_changes_in_parts)                        \
  X(keeps_to_the_rule_of_from)                     \
  X(takes_a_snapshot_over_when_it_is_whole)        \
  X(fills_and_drops_columns_on_reading)            \
  X(empties_the_copy_when_a_table_is_dropped)      \
  X(keeps_policies_of_rows)                        \
  X(folds_a_window_as_a_plain_list_does)           \
  X(refuses_windows_that_do_not_fit)               \
  X(survives_events_that_do_not_fit)               \
  X(survives_snapshots_that_do_not_fit)            \
  X(survives_failing_allocations_of_a_copy)        \
  X(resumes_after_a_lost_connection)               \
  X(tells_of_each_gap)                             \
  X(ends_where_nothing_can_become_of_it)           \
  X(waits_for_revisions_barriers_and_replies)      \
  X(may_free_a_table_in_any_callback)              \
  X(survives_failing_allocations_of_a_table)       \
  X(sends_editing_requests)                        \
  X(reads_editing_replies)                         \
  X(folds_live_state)                              \
  X(folds_live_state_with_failing_allocations)     \
  X(keeps_selected_rows_like_flags)

#define X(name) void name(void);
ALL_TESTS(X)
#undef X

#endif
