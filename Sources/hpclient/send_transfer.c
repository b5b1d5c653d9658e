#include "hp/v1/frame.pb-c.h"
#include "internal.h"
#include "sending.h"

uint64_t hp_send_transfer_rows(hp_async *async, const hp_envelope *envelope,
                               const hp_transfer *transfer) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_TRANSFER_ROWS)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  hp_write_table_ref(writer, 1, transfer->from);
  hp_write_table_ref(writer, 2, transfer->to);
  hp_write_packed(writer, 3, transfer->ids, transfer->id_count);
  hp_write_filter(writer, 4, transfer->filter);
  hp_write_place(writer, 5, transfer->at);
  if (transfer->remove) hp_write_bool(writer, 6, true);
  if (transfer->expect_to.epoch != 0 || transfer->expect_to.revision != 0) {
    hp_write_cursor(writer, 7, transfer->expect_to);
  }
  if (transfer->dry_run) hp_write_bool(writer, 8, true);
  hp_write_basis(writer, 9, transfer->basis);
  if (transfer->has_matched) hp_write_uint(writer, 10, transfer->matched);
  for (size_t i = 0; i < transfer->without_count; i++) {
    hp_write_name(writer, 11, transfer->without[i], "a column has no name");
  }
  return hp_request_end(&request);
}

hp_reply *hp_run_transfer_rows(hp_client *client, const hp_envelope *envelope,
                               const hp_transfer *transfer) {
  if (hp_client_error(client)->kind != HP_ERROR_NONE) return NULL;
  hp_async *async = hp_client_async(client);
  return hp_client_receive(client, hp_send_transfer_rows(async, envelope, transfer));
}
