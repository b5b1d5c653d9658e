/* Shared by the files of the blocking calls. Not installed. */
#ifndef HP_RUNNING_H
#define HP_RUNNING_H

#include "internal.h"

/** The connection where a request may be sent: no error sticks; else NULL. */
hp_async *hp_client_ready(hp_client *client);

/** The body of every hp_run_…: the same three steps around another hp_send_… function. */
#define HP_RUN(client, send)                 \
  hp_async *async = hp_client_ready(client); \
  if (async == NULL) return NULL;            \
  return hp_client_receive((client), (send))

#endif
