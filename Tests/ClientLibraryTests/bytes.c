#include <stdlib.h>

#include "test.h"

void bytes_add(bytes *to, const void *data, size_t size) {
  if (to->size + size > to->capacity) {
    to->capacity = (to->size + size) * 2;
    to->data = realloc(to->data, to->capacity);
    if (to->data == NULL) abort();
  }
  if (size > 0) memcpy(to->data + to->size, data, size);
  to->size += size;
}

void bytes_add_byte(bytes *to, uint8_t byte) { bytes_add(to, &byte, 1); }

void bytes_add_varint(bytes *to, uint64_t value) {
  while (value >= 0x80) {
    bytes_add_byte(to, (uint8_t)(value | 0x80));
    value >>= 7;
  }
  bytes_add_byte(to, (uint8_t)value);
}

void bytes_free(bytes *bytes) {
  free(bytes->data);
  memset(bytes, 0, sizeof *bytes);
}

void add_raw(bytes *to, const void *body, size_t size) {
  bytes_add_varint(to, size);
  bytes_add(to, body, size);
}

void add_message(bytes *to, const ProtobufCMessage *message) {
  size_t size = protobuf_c_message_get_packed_size(message);
  uint8_t *packed = malloc(size + 1);
  if (packed == NULL) abort();
  protobuf_c_message_pack(message, packed);
  add_raw(to, packed, size);
  free(packed);
}

void add_reply(bytes *to, uint64_t id, Hp__V1__Reply reply) {
  Hp__V1__ServerFrame frame = HP__V1__SERVER_FRAME__INIT;
  reply.has_id = true;
  reply.id = id;
  frame.frame_case = HP__V1__SERVER_FRAME__FRAME_REPLY;
  frame.reply = &reply;
  add_message(to, &frame.base);
}

void add_event(bytes *to, uint64_t subscription, uint64_t from, uint32_t part, bool last,
               Hp__V1__Event event) {
  Hp__V1__ServerFrame frame = HP__V1__SERVER_FRAME__INIT;
  event.has_subscription = true;
  event.subscription = subscription;
  event.has_from = true;
  event.from = from;
  event.has_part = true;
  event.part = part;
  event.has_last = last;
  event.last = last;
  frame.frame_case = HP__V1__SERVER_FRAME__FRAME_EVENT;
  frame.event = &event;
  add_message(to, &frame.base);
}

void add_hello(bytes *to) {
  Hp__V1__HelloReply hello = HP__V1__HELLO_REPLY__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  char server[] = "scripted";
  hello.has_version = true;
  hello.version = 1;
  hello.server = server;
  hello.has_epoch = true;
  hello.epoch = 77;
  reply.result_case = HP__V1__REPLY__RESULT_HELLO;
  reply.hello = &hello;
  add_reply(to, 1, reply);
}

void add_pong(bytes *to, uint64_t id, const char *payload) {
  Hp__V1__Pong pong = HP__V1__PONG__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  pong.has_payload = true;
  pong.payload.len = strlen(payload);
  pong.payload.data = (uint8_t *)(uintptr_t)payload;
  reply.result_case = HP__V1__REPLY__RESULT_PONG;
  reply.pong = &pong;
  add_reply(to, id, reply);
}

void add_done(bytes *to, uint64_t id) {
  Hp__V1__Done done = HP__V1__DONE__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  reply.result_case = HP__V1__REPLY__RESULT_DONE;
  reply.done = &done;
  add_reply(to, id, reply);
}

void add_error(bytes *to, uint64_t id, Hp__V1__ErrorCode code, const char *message) {
  Hp__V1__Error error = HP__V1__ERROR__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  error.has_code = true;
  error.code = code;
  error.message = (char *)(uintptr_t)message;
  reply.result_case = HP__V1__REPLY__RESULT_ERROR;
  reply.error = &error;
  add_reply(to, id, reply);
}

void add_subscribed(bytes *to, uint64_t id, uint64_t subscription) {
  Hp__V1__SubscribeReply subscribed = HP__V1__SUBSCRIBE_REPLY__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  subscribed.has_subscription = true;
  subscribed.subscription = subscription;
  reply.result_case = HP__V1__REPLY__RESULT_SUBSCRIBED;
  reply.subscribed = &subscribed;
  add_reply(to, id, reply);
}

void add_progress(bytes *to, uint64_t subscription, uint64_t revision) {
  Hp__V1__Progress progress = HP__V1__PROGRESS__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  progress.has_revision = true;
  progress.revision = revision;
  event.body_case = HP__V1__EVENT__BODY_PROGRESS;
  event.progress = &progress;
  add_event(to, subscription, revision, 0, true, event);
}

void add_goodbye(bytes *to, Hp__V1__ErrorCode code, const char *message) {
  Hp__V1__Goodbye goodbye = HP__V1__GOODBYE__INIT;
  Hp__V1__ServerFrame frame = HP__V1__SERVER_FRAME__INIT;
  goodbye.has_code = true;
  goodbye.code = code;
  goodbye.message = (char *)(uintptr_t)message;
  frame.frame_case = HP__V1__SERVER_FRAME__FRAME_GOODBYE;
  frame.goodbye = &goodbye;
  add_message(to, &frame.base);
}

bytes golden(const char *name) {
  const char *folder = getenv("HP_GOLDEN");
  char path[512], line[4096];
  bytes frame = {NULL, 0, 0};
  snprintf(path, sizeof path, "%s/%s.hex", folder != NULL ? folder : "../../Proto/golden", name);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    check_failed(path, 0, "the golden file can be read");
    return frame;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "hex: ", 5) != 0) continue;
    unsigned byte;
    for (const char *at = line + 5; sscanf(at, "%2x", &byte) == 1; at += 2) {
      bytes_add_byte(&frame, (uint8_t)byte);
    }
  }
  fclose(file);
  return frame;
}
