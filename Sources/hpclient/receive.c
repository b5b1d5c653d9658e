#include "upload.h"

#include <string.h>

#include "hp/v1/frame.pb-c.h"

/* The scratch arena keeps no more than this between frames. */
#define SCRATCH_KEPT (256 * 1024)

static void lie(hp_async *async, const char *message) {
  hp_async_end(async, HP_ERROR_PROTOCOL, 0, HP_CODE_NONE, message);
}

static void out_of_memory(hp_async *async) {
  hp_async_end(async, HP_ERROR_MEMORY, 0, HP_CODE_NONE, "no memory for what was received");
}

static hp_maker maker_for(hp_async *async, hp_arena *arena) {
  hp_maker maker = {arena, async->scratch, HP_ERROR_NONE, ""};
  return maker;
}

static void end_by_fault(hp_async *async, const hp_maker *maker) {
  hp_async_end(async, maker->fault, 0, HP_CODE_NONE, maker->why);
}

/* Replies */

/* Which results answer a request; an error always does. */
static bool answers(const hp_waiting *waiting, uint32_t result) {
  if (result == HP__V1__REPLY__RESULT_ERROR) return true;
  if (waiting->any) return true;
  switch (waiting->number) {
    case HP__V1__CLIENT_FRAME__REQUEST_HELLO: return result == HP__V1__REPLY__RESULT_HELLO;
    case HP__V1__CLIENT_FRAME__REQUEST_PING: return result == HP__V1__REPLY__RESULT_PONG;
    case HP__V1__CLIENT_FRAME__REQUEST_INFO: return result == HP__V1__REPLY__RESULT_INFO;
    case HP__V1__CLIENT_FRAME__REQUEST_SUBSCRIBE:
      return result == HP__V1__REPLY__RESULT_SUBSCRIBED;
    case HP__V1__CLIENT_FRAME__REQUEST_LIST_TABLES: return result == HP__V1__REPLY__RESULT_TABLES;
    case HP__V1__CLIENT_FRAME__REQUEST_DESCRIBE_TABLE:
      return result == HP__V1__REPLY__RESULT_TABLE;
    case HP__V1__CLIENT_FRAME__REQUEST_GET_ROWS:
    case HP__V1__CLIENT_FRAME__REQUEST_FIND_ROWS:
    case HP__V1__CLIENT_FRAME__REQUEST_LIST_ROWS: return result == HP__V1__REPLY__RESULT_ROWS;
    case HP__V1__CLIENT_FRAME__REQUEST_LOCATE_ROW: return result == HP__V1__REPLY__RESULT_LOCATION;
    case HP__V1__CLIENT_FRAME__REQUEST_COUNT_ROWS: return result == HP__V1__REPLY__RESULT_COUNT;
    case HP__V1__CLIENT_FRAME__REQUEST_SUM_COLUMN: return result == HP__V1__REPLY__RESULT_SUM;
    case HP__V1__CLIENT_FRAME__REQUEST_HISTORY:
    case HP__V1__CLIENT_FRAME__REQUEST_ROW_HISTORY: return result == HP__V1__REPLY__RESULT_HISTORY;
    case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_BEGIN:
    case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_PART: return result == HP__V1__REPLY__RESULT_UPLOAD;
    case HP__V1__CLIENT_FRAME__REQUEST_UNDO:
    case HP__V1__CLIENT_FRAME__REQUEST_REDO:
    case HP__V1__CLIENT_FRAME__REQUEST_RESTORE_ROW:
    case HP__V1__CLIENT_FRAME__REQUEST_UPLOAD_COMMIT:
    case HP__V1__CLIENT_FRAME__REQUEST_BATCH:
    case HP__V1__CLIENT_FRAME__REQUEST_TRANSFER_ROWS:
    case HP__V1__CLIENT_FRAME__REQUEST_NEW_ITEM: return result == HP__V1__REPLY__RESULT_BATCH;
    case HP__V1__CLIENT_FRAME__REQUEST_CREATE_TABLE:
    case HP__V1__CLIENT_FRAME__REQUEST_RENAME_TABLE:
    case HP__V1__CLIENT_FRAME__REQUEST_DROP_TABLE:
      return result == HP__V1__REPLY__RESULT_BATCH || result == HP__V1__REPLY__RESULT_TABLE ||
             result == HP__V1__REPLY__RESULT_DONE;
    case HP__V1__CLIENT_FRAME__REQUEST_TAKE_LEASE:
    case HP__V1__CLIENT_FRAME__REQUEST_LIST_LEASES: return result == HP__V1__REPLY__RESULT_LEASES;
    case HP__V1__CLIENT_FRAME__REQUEST_SET_EDITING:
    case HP__V1__CLIENT_FRAME__REQUEST_TOGGLE_EDITING:
    case HP__V1__CLIENT_FRAME__REQUEST_SELECT: return result == HP__V1__REPLY__RESULT_EDITING;
    case HP__V1__CLIENT_FRAME__REQUEST_COMMIT_EDITING:
    case HP__V1__CLIENT_FRAME__REQUEST_SWIPE:
    case HP__V1__CLIENT_FRAME__REQUEST_CONFIRM:
    case HP__V1__CLIENT_FRAME__REQUEST_DRAG:
    case HP__V1__CLIENT_FRAME__REQUEST_DRAFT:
      return result == HP__V1__REPLY__RESULT_EDITING || result == HP__V1__REPLY__RESULT_BATCH;
    case HP__V1__CLIENT_FRAME__REQUEST_GET_EDITING:
      return result == HP__V1__REPLY__RESULT_EDITING_STATE;
    case HP__V1__CLIENT_FRAME__REQUEST_GET_POLICY:
      return result == HP__V1__REPLY__RESULT_POLICIES;
    case HP__V1__CLIENT_FRAME__REQUEST_SET_VIEW_NODE:
      return result == HP__V1__REPLY__RESULT_EDITING || result == HP__V1__REPLY__RESULT_SCENE;
    case HP__V1__CLIENT_FRAME__REQUEST_GET_HEADER: return result == HP__V1__REPLY__RESULT_HEADER;
    case HP__V1__CLIENT_FRAME__REQUEST_LOAD_NIB: return result == HP__V1__REPLY__RESULT_NIB;
    case HP__V1__CLIENT_FRAME__REQUEST_SCENE: return result == HP__V1__REPLY__RESULT_SCENE;
    case HP__V1__CLIENT_FRAME__REQUEST_LIST_CLIENTS:
      return result == HP__V1__REPLY__RESULT_CLIENTS;
    default: return result == HP__V1__REPLY__RESULT_DONE;
  }
}

/* The server refused the connection itself. */
static void hello_refused(hp_async *async, const uint8_t *body, size_t size) {
  hp_reply reply;
  memset(&reply, 0, sizeof reply);
  hp_arena *arena = hp_arena_new(&async->allocator, size);
  if (arena == NULL) {
    out_of_memory(async);
    return;
  }
  hp_maker maker = maker_for(async, arena);
  if (hp_make_reply(&maker, &reply, HP__V1__REPLY__RESULT_ERROR, body, size)) {
    const hp_server_error *error = reply.value;
    hp_async_end(async, HP_ERROR_SERVER, 0, error->code, error->message);
  } else {
    end_by_fault(async, &maker);
  }
  hp_arena_free(arena);
}

static void receive_hello(hp_async *async, const uint8_t *body, size_t size) {
  async->hello_arena = hp_arena_new(&async->allocator, sizeof(hp_hello) + size);
  hp_maker maker = maker_for(async, async->hello_arena);
  if (async->hello_arena == NULL) {
    out_of_memory(async);
    return;
  }
  async->hello = hp_make_array(&maker, 1, sizeof *async->hello);
  if (async->hello == NULL || !hp_make_hello(&maker, async->hello, body, size)) {
    end_by_fault(async, &maker);
    return;
  }
  if (async->hello->version < HP_PROTOCOL_MIN || async->hello->version > HP_PROTOCOL_MAX) {
    lie(async, "the server chose a protocol version that was not offered");
    return;
  }
  async->hello_came = true;
  async->deadline = 0;
  if (async->callbacks.hello != NULL) {
    async->callbacks.hello(async, async->hello, async->context);
  }
}

/* The reply to a request of an upload. Returns whether it is to be handed over. */
static bool upload_replied(hp_async *async, hp_waiting *waiting, uint32_t number,
                           const uint8_t *body, size_t size) {
  uint64_t bytes = 0;
  if (number == HP__V1__REPLY__RESULT_UPLOAD) {
    hp_maker maker = maker_for(async, async->scratch);
    const Hp__V1__UploadReply *reply =
        hp_make_unpack(&maker, &hp__v1__upload_reply__descriptor, body, size);
    if (reply == NULL) {
      end_by_fault(async, &maker);
      return false;
    }
    bytes = reply->bytes;
  }
  bool told = hp_upload_replied(async, waiting, number == HP__V1__REPLY__RESULT_ERROR, bytes);
  if (async->state != HP_STATE_OVER) hp_async_drop_skipped(async);
  return told;
}

/* A whole result for the request that waits longest. */
static void finish_reply(hp_async *async, uint32_t number, const uint8_t *body, size_t size) {
  hp_waiting waiting = *hp_async_first_waiting(async);
  hp_async_pop_waiting(async);
  async->answered = waiting.id;
  if (!async->hello_came) {
    if (number == HP__V1__REPLY__RESULT_ERROR) {
      hello_refused(async, body, size);
    } else {
      receive_hello(async, body, size);
    }
    return;
  }
  if (waiting.role != HP_UPLOAD_NONE && !upload_replied(async, &waiting, number, body, size)) {
    return;
  }

  hp_arena *arena = hp_arena_new(&async->allocator, sizeof(hp_reply) + size * 2);
  hp_reply *reply = arena == NULL ? NULL : hp_arena_take(arena, sizeof *reply);
  if (reply == NULL) {
    hp_arena_free(arena);
    out_of_memory(async);
    return;
  }
  memset(reply, 0, sizeof *reply);
  reply->arena = arena;
  reply->request = waiting.id;
  reply->tag = waiting.tag;
  hp_maker maker = maker_for(async, arena);
  if (!hp_make_reply(&maker, reply, number, body, size)) {
    end_by_fault(async, &maker);
    hp_reply_free(reply);
    return;
  }
  if (reply->kind == HP_REPLY_SUBSCRIBED) {
    uint64_t id = hp_reply_subscribed(reply)->subscription;
    if (hp_async_subscription(async, id) != NULL) {
      lie(async, "the server gave one number to two subscriptions");
      hp_reply_free(reply);
      return;
    }
    if (!hp_async_add_subscription(async, id)) {
      out_of_memory(async);
      hp_reply_free(reply);
      return;
    }
  }
  if (waiting.subscription != 0 && reply->kind == HP_REPLY_DONE) {
    hp_async_drop_subscription(async, waiting.subscription);
  }
  if (waiting.discard || async->callbacks.reply == NULL) {
    hp_reply_free(reply);
  } else {
    async->callbacks.reply(async, reply, async->context);
  }
}

static void receive_reply(hp_async *async, const hp_frame *frame) {
  const hp_waiting *waiting = hp_async_first_waiting(async);
  if (waiting == NULL) {
    lie(async, "the server replied to nothing");
  } else if (frame->id != waiting->id) {
    lie(async, "the server replied out of order");
  } else if (frame->number == 0 && !waiting->any) {
    lie(async, "the server sent a reply without a known result");
  } else if (!answers(waiting, frame->number)) {
    lie(async, "the server's reply does not fit the request");
  } else if (async->parts_begun && frame->number == HP__V1__REPLY__RESULT_ERROR && !frame->more) {
    /* What came of it is void. */
    async->parts_begun = false;
    hp_buffer_free(&async->parts);
    hp_buffer_init(&async->parts, &async->allocator);
    finish_reply(async, frame->number, frame->body, frame->size);
  } else if (async->parts_begun && frame->number != async->parts_number) {
    lie(async, "the server's reply changes its kind between parts");
  } else if (!frame->more && !async->parts_begun) {
    finish_reply(async, frame->number, frame->body, frame->size);
  } else if (!async->hello_came || frame->number == HP__V1__REPLY__RESULT_ERROR) {
    lie(async, "the server sent in parts what has no parts");
  } else if (frame->size > async->join_limit - hp_buffer_size(&async->parts)) {
    lie(async, "the server's reply is larger than the limit for joined parts");
  } else if (!hp_buffer_append(&async->parts, frame->body, frame->size)) {
    out_of_memory(async);
  } else {
    async->parts_begun = frame->more;
    async->parts_number = frame->number;
    if (!frame->more) {
      /* Taken out first: a callback may end the connection. */
      hp_buffer whole = async->parts;
      hp_buffer_init(&async->parts, &async->allocator);
      finish_reply(async, frame->number, whole.bytes + whole.start, hp_buffer_size(&whole));
      hp_buffer_free(&whole);
    }
  }
}

/* Events */

static void deliver_event(hp_async *async, const hp_frame *frame, const uint8_t *body,
                          size_t size) {
  hp_arena *arena = hp_arena_new(&async->allocator, sizeof(hp_event_box) + size * 2);
  hp_event_box *box = arena == NULL ? NULL : hp_arena_take(arena, sizeof *box);
  if (box == NULL) {
    hp_arena_free(arena);
    out_of_memory(async);
    return;
  }
  memset(box, 0, sizeof *box);
  box->arena = arena;
  box->event.subscription = frame->subscription;
  box->event.from = frame->from;
  box->event.part = frame->part;
  box->event.last = frame->last;
  hp_maker maker = maker_for(async, arena);
  if (!hp_make_event(&maker, &box->event, frame->number, body, size)) {
    end_by_fault(async, &maker);
  } else if (async->callbacks.event != NULL) {
    async->callbacks.event(async, &box->event, async->context);
  }
  if (!box->taken) hp_arena_free(arena);
}

/* A change, which may be a part of one. */
static void receive_change(hp_async *async, const hp_frame *frame,
                           hp_subscription *subscription) {
  bool first = !subscription->begun;
  if (!first && (frame->part != subscription->part + 1 || frame->from != subscription->from)) {
    lie(async, "the server left out a part of a change");
    return;
  }
  subscription->begun = !frame->last;
  subscription->part = frame->part;
  subscription->from = frame->from;
  if (first) subscription->apart = async->separate_parts;
  if (subscription->apart || (first && frame->last)) {
    deliver_event(async, frame, frame->body, frame->size);
    return;
  }

  size_t before = hp_buffer_size(&subscription->parts);
  if (before > async->join_limit || frame->size > async->join_limit - before) {
    /* Too large for one event: what came so far is handed over as the first part. */
    hp_buffer whole = subscription->parts;
    hp_buffer_init(&subscription->parts, &async->allocator);
    subscription->apart = true;
    if (before > 0) {
      hp_frame head = *frame;
      head.part = frame->part - 1;
      head.last = false;
      deliver_event(async, &head, whole.bytes + whole.start, before);
    }
    hp_buffer_free(&whole);
    /* The callback may have ended the connection, and with it the subscription. */
    if (async->state != HP_STATE_OVER) deliver_event(async, frame, frame->body, frame->size);
    return;
  }
  if (!hp_buffer_append(&subscription->parts, frame->body, frame->size)) {
    out_of_memory(async);
    return;
  }
  if (!frame->last) return;
  hp_buffer whole = subscription->parts;
  hp_buffer_init(&subscription->parts, &async->allocator);
  deliver_event(async, frame, whole.bytes + whole.start, hp_buffer_size(&whole));
  hp_buffer_free(&whole);
}

static void receive_event(hp_async *async, const hp_frame *frame) {
  if (frame->subscription == 0) {
    if (frame->number != HP__V1__EVENT__BODY_BARRIER) {
      lie(async, "the server sent an event of no subscription");
      return;
    }
    deliver_event(async, frame, frame->body, frame->size);
    return;
  }
  hp_subscription *subscription = hp_async_subscription(async, frame->subscription);
  if (subscription == NULL) {
    lie(async, "the server sent an event of a subscription that is not there");
  } else if (frame->number == HP__V1__EVENT__BODY_CHANGE) {
    receive_change(async, frame, subscription);
  } else if (frame->number == HP__V1__EVENT__BODY_ENDED) {
    /* Also between parts: the change that was begun never takes effect. */
    hp_async_drop_subscription(async, frame->subscription);
    deliver_event(async, frame, frame->body, frame->size);
  } else if (subscription->begun) {
    lie(async, "the server sent an event between the parts of a change");
  } else {
    deliver_event(async, frame, frame->body, frame->size);
  }
}

/* Goodbye */

static void receive_goodbye(hp_async *async, const hp_frame *frame) {
  async->goodbye_arena = hp_arena_new(&async->allocator, sizeof(hp_goodbye) + frame->size);
  if (async->goodbye_arena == NULL) {
    out_of_memory(async);
    return;
  }
  hp_maker maker = maker_for(async, async->goodbye_arena);
  hp_goodbye *goodbye = hp_make_array(&maker, 1, sizeof *goodbye);
  if (goodbye == NULL || !hp_make_goodbye(&maker, goodbye, frame->body, frame->size)) {
    end_by_fault(async, &maker);
    return;
  }
  async->goodbye = goodbye;
  if (async->callbacks.goodbye != NULL) {
    async->callbacks.goodbye(async, goodbye, async->context);
  }
  /* The last frame of a connection: nothing can follow. */
  hp_async_end(async, HP_ERROR_GOODBYE, 0, goodbye->code,
               goodbye->message[0] != 0 ? goodbye->message : hp_code_name(goodbye->code));
}

static void receive_frame(hp_async *async, const uint8_t *bytes, size_t size) {
  hp_frame frame;
  const char *why = hp_frame_parse(bytes, size, &frame);
  if (why != NULL) {
    lie(async, why);
    return;
  }
  switch (frame.kind) {
    case HP_FRAME_REPLY: receive_reply(async, &frame); break;
    case HP_FRAME_EVENT: receive_event(async, &frame); break;
    case HP_FRAME_GOODBYE: receive_goodbye(async, &frame); break;
  }
  if (!async->freed && async->scratch != NULL) {
    hp_arena_reset(async->scratch);
  }
}

void hp_async_receive(hp_async *async) {
  while (async->state == HP_STATE_OPEN || async->state == HP_STATE_DRAINING) {
    size_t prefix = 0;
    size_t length = 0;
    const uint8_t *bytes = async->input.bytes + async->input.start;
    size_t size = hp_buffer_size(&async->input);
    int found = hp_frame_length(bytes, size, HP_FRAME_DOWN, &prefix, &length);
    if (found < 0) {
      lie(async, "the server sent a frame length that is not allowed");
      return;
    }
    if (found == 0 || size - prefix < length) return;
    receive_frame(async, bytes + prefix, length);
    hp_buffer_consume(&async->input, prefix + length);
  }
}
