#include "sending.h"

#include "hp/view.h"
#include "hp/v1/frame.pb-c.h"

/* The requests of hp/view.h. */

uint64_t hp_send_load_nib(hp_async *async, const hp_envelope *envelope, const hp_load_nib *what) {
  hp_request request;
  if (!hp_request_begin(&request, async, envelope, HP__V1__CLIENT_FRAME__REQUEST_LOAD_NIB)) {
    return 0;
  }
  hp_writer *writer = &request.writer;
  if (what->controller_class == NULL) {
    hp_write_name(writer, 1, what->name, "no nib is named");
  } else {
    hp_write_text(writer, 1, what->name);
  }
  hp_write_text(writer, 2, what->owner_class);
  hp_write_text(writer, 3, what->language);
  for (size_t i = 0; i < what->outlet_count; i++) {
    hp_write_name(writer, 4, what->outlets[i], "an outlet has no name");
  }
  if (what->keep) hp_write_bool(writer, 5, true);
  hp_write_text(writer, 6, what->controller_class);
  return hp_request_end(&request);
}
