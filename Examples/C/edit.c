/* Adds an item, then gives it another name, but only if nobody changed it meanwhile.
 *
 *   cc -std=c11 edit.c $(pkg-config --cflags --libs hpclient) -o edit
 *   ./edit NAME NEW-NAME
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hp/client.h>

/* Runs the batch and frees it. Returns the reply, or NULL with the client's error. */
static hp_reply *run(hp_client *client, const hp_envelope *envelope, hp_batch *batch) {
  hp_reply *reply = batch ? hp_run_batch(client, envelope, batch) : NULL;
  hp_batch_free(batch);
  return reply;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: edit NAME NEW-NAME\n");
    return EXIT_FAILURE;
  }
  hp_table_ref items = hp_table_named("items");
  hp_client *client = hp_client_new(NULL);
  if (client == NULL) return EXIT_FAILURE;
  hp_client_connect(client, NULL);

  /* With a key the request may be sent again after a lost connection: it is applied once. */
  char key[64];
  const hp_hello *hello = hp_client_hello(client);
  snprintf(key, sizeof key, "edit-%" PRIu64, hello != NULL ? hello->client : 0);
  hp_envelope once = {.key = key};
  hp_batch *batch = hp_batch_new(items, NULL);
  hp_cell cells[] = {hp_cell_text("name", arguments[1]), hp_cell_decimal("value", 3995)};
  if (batch != NULL) hp_batch_insert_row(batch, hp_place_default(), cells, 2);
  hp_reply *added = run(client, &once, batch);

  if (added != NULL) {
    const hp_batch_result *result = hp_reply_batch(added);
    uint64_t id = result->inserted_count > 0 ? result->inserted[0].first : 0;
    printf("row %" PRIu64 " at revision %" PRIu64 "\n", id, result->cursor.revision);

    batch = hp_batch_new(items, NULL);
    if (batch != NULL) {
      hp_cell name = hp_cell_text("name", arguments[2]);
      hp_batch_require_revision(batch, HP_FIRST, hp_row_id(id), result->cursor.revision);
      hp_batch_update_row(batch, hp_row_id(id), &name, 1);
    }
    hp_reply *renamed = run(client, NULL, batch);
    if (renamed != NULL) {
      printf("renamed at revision %" PRIu64 "\n", hp_reply_cursor(renamed).revision);
    }
    hp_reply_free(renamed);
  }
  hp_reply_free(added);

  const hp_error *error = hp_client_error(client);
  bool failed = error->kind != HP_ERROR_NONE;
  if (failed) {
    const hp_server_error *refusal = hp_client_server_error(client);
    fprintf(stderr, "edit: %s\n", hp_error_message(error));
    if (refusal != NULL && refusal->hint != NULL) fprintf(stderr, "edit: %s\n", refusal->hint);
  }
  hp_client_free(client);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
