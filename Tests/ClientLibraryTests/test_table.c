/* The live table against a scripted server: it connects, resumes, tells each gap, and gives up where
 * nothing can become of it. */
#include <stdlib.h>

#include "feedmodel.h"
#include "tests.h"
#include "view.h"

enum {
  HELLO = HP__V1__CLIENT_FRAME__REQUEST_HELLO,
  SUBSCRIBE = HP__V1__CLIENT_FRAME__REQUEST_SUBSCRIBE,
  UNSUBSCRIBE = HP__V1__CLIENT_FRAME__REQUEST_UNSUBSCRIBE,
  BARRIER = HP__V1__CLIENT_FRAME__REQUEST_BARRIER,
  PING = HP__V1__CLIENT_FRAME__REQUEST_PING
};

#define EPOCH 77

/* What the server says */

static void add_subscribed_from(bytes *to, uint64_t id, uint64_t subscription, uint64_t epoch,
                                uint64_t revision, bool snapshot) {
  Hp__V1__Cursor from = HP__V1__CURSOR__INIT;
  Hp__V1__SubscribeReply subscribed = HP__V1__SUBSCRIBE_REPLY__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  from.has_epoch = from.has_revision = true;
  from.epoch = epoch;
  from.revision = revision;
  subscribed.has_subscription = subscribed.has_snapshot = true;
  subscribed.subscription = subscription;
  subscribed.snapshot = snapshot;
  subscribed.from = &from;
  reply.result_case = HP__V1__REPLY__RESULT_SUBSCRIBED;
  reply.subscribed = &subscribed;
  add_reply(to, id, reply);
}

/* A table of id 5 with one section, 9, that has the rows 1, 2, …: one message for all. */
static void add_snapshot(bytes *to, uint64_t subscription, uint64_t epoch, uint64_t revision,
                         size_t rows) {
  Hp__V1__Cursor cursor = HP__V1__CURSOR__INIT;
  Hp__V1__Section section = HP__V1__SECTION__INIT;
  Hp__V1__Section *sections[] = {&section};
  Hp__V1__Table table = HP__V1__TABLE__INIT;
  Hp__V1__Table *tables[] = {&table};
  Hp__V1__SnapshotHead head = HP__V1__SNAPSHOT_HEAD__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  cursor.has_epoch = cursor.has_revision = true;
  cursor.epoch = epoch;
  cursor.revision = revision;
  section.has_id = section.has_index = section.has_rows = true;
  section.id = 9;
  section.rows = rows;
  table.has_id = true;
  table.id = 5;
  table.name = (char *)"items";
  table.n_sections = 1;
  table.sections = sections;
  head.cursor = &cursor;
  head.n_tables = 1;
  head.tables = tables;
  event.body_case = HP__V1__EVENT__BODY_SNAPSHOT;
  event.snapshot = &head;
  add_event(to, subscription, 0, 0, rows == 0, event);
  if (rows == 0) return;
  Hp__V1__Row row[16];
  Hp__V1__Row *pointers[16];
  Hp__V1__SnapshotRows page = HP__V1__SNAPSHOT_ROWS__INIT;
  for (size_t i = 0; i < rows; i++) {
    hp__v1__row__init(&row[i]);
    row[i].has_id = row[i].has_revision = true;
    row[i].id = i + 1;
    row[i].revision = revision;
    pointers[i] = &row[i];
  }
  page.has_table = page.has_section = page.has_first = true;
  page.table = 5;
  page.section = 9;
  page.n_rows = rows;
  page.rows = pointers;
  event.body_case = HP__V1__EVENT__BODY_ROWS;
  event.rows = &page;
  add_event(to, subscription, 0, 1, true, event);
}

static void add_live(bytes *to, uint64_t subscription, uint64_t epoch, uint64_t from,
                     uint64_t revision) {
  Hp__V1__Cursor cursor = HP__V1__CURSOR__INIT;
  Hp__V1__Live live = HP__V1__LIVE__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  cursor.has_epoch = cursor.has_revision = true;
  cursor.epoch = epoch;
  cursor.revision = revision;
  live.cursor = &cursor;
  event.body_case = HP__V1__EVENT__BODY_LIVE;
  event.live = &live;
  add_event(to, subscription, from, 0, true, event);
}

/* A row comes first in the section. */
static void add_insert(bytes *to, uint64_t subscription, uint64_t from, uint64_t revision,
                       uint64_t id) {
  Hp__V1__Row row = HP__V1__ROW__INIT;
  Hp__V1__Row *rows[] = {&row};
  Hp__V1__RowRun run = HP__V1__ROW_RUN__INIT;
  Hp__V1__RowRun *runs[] = {&run};
  Hp__V1__Stage stage = HP__V1__STAGE__INIT;
  Hp__V1__Stage *stages[] = {&stage};
  Hp__V1__TableChange table = HP__V1__TABLE_CHANGE__INIT;
  Hp__V1__TableChange *tables[] = {&table};
  Hp__V1__Change change = HP__V1__CHANGE__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  row.has_id = row.has_revision = run.has_section = run.has_row = run.has_id = true;
  row.id = run.id = id;
  row.revision = revision;
  stage.has_kind = true;
  stage.kind = HP__V1__STAGE_KIND__STAGE_KIND_MAIN;
  stage.n_inserts = 1;
  stage.inserts = runs;
  table.has_table = true;
  table.table = 5;
  table.n_stages = 1;
  table.stages = stages;
  table.n_rows = 1;
  table.rows = rows;
  change.has_revision = true;
  change.revision = revision;
  change.n_tables = 1;
  change.tables = tables;
  event.body_case = HP__V1__EVENT__BODY_CHANGE;
  event.change = &change;
  add_event(to, subscription, from, 0, true, event);
}

static void add_ended(bytes *to, uint64_t subscription, Hp__V1__EndReason reason) {
  Hp__V1__Ended ended = HP__V1__ENDED__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  ended.has_reason = true;
  ended.reason = reason;
  event.body_case = HP__V1__EVENT__BODY_ENDED;
  event.ended = &ended;
  add_event(to, subscription, 0, 0, true, event);
}

static void add_barrier(bytes *to, uint64_t subscription, uint64_t token, uint64_t revision) {
  Hp__V1__BarrierReached reached = HP__V1__BARRIER_REACHED__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  reached.has_token = reached.has_revision = true;
  reached.token = token;
  reached.revision = revision;
  event.body_case = HP__V1__EVENT__BODY_BARRIER;
  event.barrier = &reached;
  add_event(to, subscription, 0, 0, true, event);
}

static bytes hello_of(uint64_t epoch) {
  bytes answer = {NULL, 0, 0};
  Hp__V1__HelloReply hello = HP__V1__HELLO_REPLY__INIT;
  Hp__V1__Reply reply = HP__V1__REPLY__INIT;
  hello.has_version = hello.has_epoch = true;
  hello.version = 1;
  hello.epoch = epoch;
  hello.server = (char *)"hpd test";
  hello.resume_token = (char *)"token";
  reply.result_case = HP__V1__REPLY__RESULT_HELLO;
  reply.hello = &hello;
  add_reply(&answer, 1, reply);
  return answer;
}

/* The answer to a subscription: a snapshot of some rows at a revision, live. */
static bytes whole(uint64_t request, uint64_t subscription, uint64_t epoch, uint64_t revision,
                   size_t rows) {
  bytes answer = {NULL, 0, 0};
  add_subscribed_from(&answer, request, subscription, epoch, revision, true);
  add_snapshot(&answer, subscription, epoch, revision, rows);
  add_live(&answer, subscription, epoch, revision, revision);
  return answer;
}

/* The answer to one that goes on: rows 101, … of the revisions after it, live. */
static bytes resumed(uint64_t request, uint64_t subscription, uint64_t revision, size_t changes) {
  bytes answer = {NULL, 0, 0};
  add_subscribed_from(&answer, request, subscription, EPOCH, revision, false);
  for (size_t i = 0; i < changes; i++) {
    add_insert(&answer, subscription, revision + i, revision + i + 1, 100 + revision + i);
  }
  add_live(&answer, subscription, EPOCH, revision + changes, revision + changes);
  return answer;
}

/* What the table tells */

typedef struct told {
  char log[4096];
  size_t size;
  view view;
  hp_table *table;
  const char *free_in;
  int replies;
  int others;
} told;

static void note(told *to, const char *what, const char *more) {
  int size = snprintf(to->log + to->size, sizeof to->log - to->size, "%s%s%s ", what,
                      more[0] != 0 ? ":" : "", more);
  if (size > 0 && to->size + (size_t)size < sizeof to->log) to->size += (size_t)size;
  if (to->free_in != NULL && strcmp(to->free_in, what) == 0 && to->table != NULL) {
    hp_table_free(to->table);
    to->table = NULL;
  }
}

static void on_reset(const hp_copy *copy, void *context) {
  told *to = context;
  view_reset(&to->view, copy);
  note(to, "reset", "");
}
static void on_will(const hp_copy *copy, const hp_update *update, void *context) {
  told *to = context;
  view_will_change(&to->view, copy, update);
  note(to, "will", "");
}
static void on_stage(const hp_copy *copy, const hp_update *update, const hp_stage *stage,
                     void *context) {
  told *to = context;
  (void)update;
  view_stage(&to->view, copy, stage);
  note(to, "stage", "");
}
static void on_did(const hp_copy *copy, const hp_update *update, void *context) {
  told *to = context;
  view_did_change(&to->view, copy, update);
  note(to, "did", "");
}
static void on_live(const hp_copy *copy, void *context) {
  (void)copy;
  note(context, "caught", "");
}
static void on_phase(hp_table *table, hp_phase phase, void *context) {
  told *to = context;
  CHECK(hp_table_phase(table) == phase);
  to->table = table;
  note(to, "phase", hp_phase_name(phase));
}
static void on_gap(hp_table *table, hp_gap gap, void *context) {
  CHECK(hp_table_gap(table) == gap);
  note(context, "gap", hp_gap_name(gap));
}
static void on_reply(hp_table *table, hp_reply *reply, void *context) {
  (void)table;
  ((told *)context)->replies += 1;
  hp_reply_free(reply);
  note(context, "reply", "");
}
static void on_event(hp_table *table, const hp_event *event, void *context) {
  (void)table;
  (void)event;
  ((told *)context)->others += 1;
  note(context, "event", "");
}

static const hp_table_callbacks by_told = {
    .copy = {on_reset, on_will, on_stage, on_did, on_live},
    .phase = on_phase,
    .gap = on_gap,
    .reply = on_reply,
    .event = on_event,
};

static hp_table *open_table(told *to, const char *path, const hp_table_options *more) {
  hp_table_options options = {.table = hp_table_named("items"), .retry_first = 1, .retry_max = 5};
  if (more != NULL) options = *more;
  hp_table *table = hp_table_new(&options, &by_told, to);
  CHECK(table != NULL);
  to->table = table;
  return hp_table_connect(table, path) ? table : NULL;
}

static void finish(told *to, server *server) {
  if (to->view.fault != NULL) check_failed("view", 0, to->view.fault);
  hp_table_free(to->table);
  view_free(&to->view);
  CHECK(server_end(server));
}

#define WAIT 10000

TEST(resumes_after_a_lost_connection) {
  script_step steps[] = {
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, whole(2, 3, EPOCH, 40, 2), 0, true},
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, resumed(2, 1, 40, 2), 0, true},
      {HELLO, hello_of(EPOCH), 0, true}, /* closes before it answers */
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, resumed(2, 8, 42, 0), 0, false},
  };
  const char *path;
  server *server = server_listen(steps, 7, &path);
  told to = {.free_in = NULL};
  hp_table *table = open_table(&to, path, NULL);
  CHECK(hp_table_wait(table, 0, WAIT) && hp_table_phase(table) == HP_PHASE_LIVE);
  CHECK(hp_copy_row_count(hp_table_copy(table)) == 2);
  CHECK(hp_table_wait(table, 42, WAIT));
  const hp_copy *copy = hp_table_copy(table);
  CHECK(hp_copy_row_count(copy) == 4 && hp_copy_id_at(copy, hp_path_make(0, 0)) == 141);
  /* What is left of the script: two more connections. */
  while (strstr(to.log, "phase:waiting phase:connecting phase:waiting") == NULL ||
         hp_table_phase(table) != HP_PHASE_LIVE) {
    CHECK(hp_table_poll(table, WAIT));
  }
  CHECK(hp_table_gap(table) == HP_GAP_NONE && hp_table_error(table)->kind == HP_ERROR_NONE);
  CHECK(to.view.resets == 1 && to.view.changes == 2);
  CHECK(strncmp(to.log, "phase:connecting phase:catching_up reset caught phase:live "
                        "phase:waiting phase:connecting phase:catching_up will stage did ",
                120) == 0);
  finish(&to, server);
}

TEST(tells_of_each_gap) {
  bytes wrong = resumed(2, 1, 40, 0);
  add_insert(&wrong, 1, 45, 46, 99); /* begins where the copy does not stand */
  add_insert(&wrong, 1, 46, 47, 98);
  bytes again = {NULL, 0, 0};
  add_done(&again, 3);
  bytes snapshot = whole(4, 2, EPOCH, 50, 1);
  bytes slow = {NULL, 0, 0};
  add_ended(&slow, 2, HP__V1__END_REASON__END_REASON_TOO_SLOW);
  bytes_add(&snapshot, slow.data, slow.size);
  bytes_free(&slow);
  script_step steps[] = {
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, whole(2, 3, EPOCH, 40, 2), 0, true},
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, wrong, 0, false},
      {UNSUBSCRIBE, again, 0, false},
      {SUBSCRIBE, snapshot, 0, false},
      {SUBSCRIBE, whole(5, 4, EPOCH, 60, 3), 0, true},
      {HELLO, hello_of(EPOCH), 0, false}, /* history does not reach back */
      {SUBSCRIBE, whole(2, 1, EPOCH, 70, 4), 0, true},
      {HELLO, hello_of(EPOCH), 0, false}, /* the store lost its newest revisions */
      {SUBSCRIBE, whole(2, 1, EPOCH, 65, 5), 0, true},
      {HELLO, hello_of(EPOCH + 1), 0, false}, /* another store */
      {SUBSCRIBE, whole(2, 1, EPOCH + 1, 3, 6), 0, false},
  };
  const char *path;
  server *server = server_listen(steps, sizeof steps / sizeof *steps, &path);
  told to = {.free_in = NULL};
  hp_table *table = open_table(&to, path, NULL);
  while (hp_copy_row_count(hp_table_copy(table)) < 6) CHECK(hp_table_poll(table, WAIT));
  CHECK(hp_table_wait(table, 0, WAIT));
  CHECK(hp_copy_cursor(hp_table_copy(table)).epoch == EPOCH + 1);
  CHECK(hp_table_gap(table) == HP_GAP_EPOCH && to.view.resets == 6 && to.others == 0);
  static const char *const gaps[] = {"gap:order", "gap:too_slow", "gap:compacted", "gap:future",
                                     "gap:epoch"};
  const char *at = to.log;
  for (size_t i = 0; i < 5; i++) {
    at = strstr(at, gaps[i]);
    if (at == NULL) {
      check_failed(gaps[i], 0, "each gap is told, in order");
      break;
    }
  }
  finish(&to, server);
}

TEST(ends_where_nothing_can_become_of_it) {
  bytes dropped = whole(2, 3, EPOCH, 40, 2);
  add_ended(&dropped, 3, HP__V1__END_REASON__END_REASON_TABLE_DROPPED);
  bytes none = {NULL, 0, 0};
  add_error(&none, 2, HP__V1__ERROR_CODE__NO_SUCH_TABLE, "there is no table \"items\"");
  bytes lost = {NULL, 0, 0};
  add_error(&lost, 2, HP__V1__ERROR_CODE__NO_SUCH_TABLE, "there is no such table");
  script_step steps[] = {
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, dropped, 0, true},
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, none, 0, true},
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, whole(2, 3, EPOCH, 40, 2), 0, true},
      {HELLO, hello_of(EPOCH), 0, false},
      {SUBSCRIBE, lost, 0, true},
  };
  const char *path;
  server *server = server_listen(steps, 8, &path);
  static const char *const last[] = {"gap:table_dropped phase:ended ", "phase:ended ",
                                     "gap:table_dropped phase:ended "};
  told to = {.free_in = NULL};
  for (int i = 0; i < 3; i++) {
    memset(&to, 0, sizeof to);
    hp_table *table = open_table(&to, path, NULL);
    while (hp_table_poll(table, WAIT)) continue;
    size_t size = strlen(last[i]);
    if (to.size < size || strcmp(to.log + to.size - size, last[i]) != 0) {
      check_failed(to.log, i, "the table ends so");
    }
    CHECK(hp_table_error(table)->kind == HP_ERROR_SERVER);
    CHECK(hp_table_error(table)->code == HP_CODE_NO_SUCH_TABLE);
    CHECK(hp_table_fd(table) == -1 && hp_table_timeout(table) == -1);
    CHECK(!hp_table_wait(table, 0, 10) && !hp_table_sync(table, 10));
    if (i == 2) break;
    hp_table_free(table);
    view_free(&to.view);
  }
  finish(&to, server);

  /* Nobody is there: with `once` that is the end, else it waits. */
  memset(&to, 0, sizeof to);
  hp_table_options once = {.table = hp_table_named("items"), .once = true};
  CHECK(open_table(&to, "/nowhere/at/all", &once) == NULL);
  CHECK(hp_table_error(to.table)->kind == HP_ERROR_CONNECT);
  CHECK(hp_table_phase(to.table) == HP_PHASE_ENDED && !hp_table_process(to.table, 0));
  hp_table_free(to.table);
  memset(&to, 0, sizeof to);
  CHECK(open_table(&to, "/nowhere/at/all", NULL) != NULL);
  CHECK(hp_table_phase(to.table) == HP_PHASE_WAITING);
  CHECK(!hp_table_wait(to.table, 0, 30) && hp_table_error(to.table)->kind == HP_ERROR_TIMEOUT);
  CHECK(hp_table_phase(to.table) != HP_PHASE_ENDED && hp_table_async(to.table) == NULL);
  hp_table_free(to.table);
}

TEST(waits_for_revisions_barriers_and_replies) {
  bytes reached = {NULL, 0, 0};
  add_done(&reached, 3);
  add_insert(&reached, 3, 40, 41, 50);
  add_barrier(&reached, 3, (UINT64_C(1) << 62) + 1, 41);
  bytes pong = {NULL, 0, 0};
  add_pong(&pong, 4, "x");
  bytes second = {NULL, 0, 0};
  add_pong(&second, 5, "y");
  bytes own = {NULL, 0, 0};
  add_done(&own, 6);
  add_barrier(&own, 3, 17, 41);
  script_step steps[] = {
      {HELLO, hello_of(EPOCH), 0, false}, {SUBSCRIBE, whole(2, 3, EPOCH, 40, 2), 0, false},
      {BARRIER, reached, 0, false},       {PING, pong, 0, false},
      {PING, second, 0, false},           {BARRIER, own, 0, true},
  };
  const char *path;
  server *server = server_listen(steps, 6, &path);
  told to = {.free_in = NULL};
  hp_table_options once = {.table = hp_table_named("items"), .once = true};
  hp_table *table = open_table(&to, path, &once);
  CHECK(hp_table_sync(table, WAIT));
  CHECK(hp_copy_row_count(hp_table_copy(table)) == 3 && hp_table_wait(table, 41, 0));
  uint64_t first = hp_send_ping(hp_table_async(table), NULL, "x", 1);
  uint64_t next = hp_send_ping(hp_table_async(table), NULL, "y", 1);
  hp_reply *reply = hp_table_receive(table, next, WAIT);
  CHECK(reply != NULL && hp_reply_request(reply) == next && to.replies == 1);
  hp_reply_free(reply);
  CHECK(hp_table_receive(table, first, WAIT) == NULL);
  CHECK(hp_table_error(table)->kind == HP_ERROR_STATE);
  /* A barrier of the program's own. */
  CHECK(hp_send_barrier(hp_table_async(table), NULL, 3, 17, false) == 6);
  while (hp_table_poll(table, WAIT)) continue;
  CHECK(to.others == 1 && to.replies == 2);
  CHECK(hp_table_error(table)->kind == HP_ERROR_CLOSED);
  finish(&to, server);
}

TEST(may_free_a_table_in_any_callback) {
  static const char *const places[] = {"phase", "reset", "caught", "will", "stage",
                                       "did",   "gap",   "reply",  "event"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    bytes all = whole(2, 3, EPOCH, 40, 2);
    add_insert(&all, 3, 40, 41, 50);
    add_pong(&all, 3, "");
    add_barrier(&all, 0, 17, 41);
    add_ended(&all, 3, HP__V1__END_REASON__END_REASON_EXPIRED);
    script_step steps[] = {{HELLO, hello_of(EPOCH), 0, false}, {PING, all, 0, true}};
    const char *path;
    server *server = server_listen(steps, 2, &path);
    told to = {.free_in = places[i]};
    hp_table_options once = {.table = hp_table_named("items"), .once = true};
    hp_table *table = open_table(&to, path, &once);
    if (table != NULL) {
      /* The ping is asked for once the subscription is, so that its answer fits. */
      while (to.table != NULL && hp_async_in_flight(hp_table_async(table)) == 0) {
        hp_table_poll(table, 1);
      }
      if (to.table != NULL) CHECK(hp_send_ping(hp_table_async(table), NULL, NULL, 0) == 3);
      while (to.table != NULL && hp_table_poll(table, WAIT)) continue;
    }
    if (to.table != NULL) check_failed(places[i], 0, "the table is freed there");
    hp_table_free(to.table);
    view_free(&to.view);
    server_end(server);
  }
}

/* A golden event of subscription 3 behind what is there. */
static void add_golden(bytes *to, const char *name) {
  bytes frame = golden(name);
  bytes_add(to, frame.data, frame.size);
  bytes_free(&frame);
}

/* The scene's last event. */
static void add_removed(bytes *to, uint64_t subscription, uint64_t sequence) {
  Hp__V1__SceneEvent scene = HP__V1__SCENE_EVENT__INIT;
  Hp__V1__Event event = HP__V1__EVENT__INIT;
  scene.scene = (char *)"main";
  scene.has_sequence = scene.has_kind = scene.has_start = true;
  scene.sequence = sequence;
  scene.start = 77;
  scene.kind = HP__V1__SCENE_EVENT_KIND__SCENE_EVENT_REMOVED;
  event.body_case = HP__V1__EVENT__BODY_SCENE;
  event.scene = &scene;
  add_event(to, subscription, 42, 0, true, event);
}

TEST(keeps_a_scene_beside_the_rows) {
  bytes first = whole(2, 3, EPOCH, 42, 2);
  add_golden(&first, "event_scene_state");
  add_golden(&first, "event_scene_node");
  bytes again = resumed(2, 3, 42, 1);
  add_golden(&again, "event_scene_node"); /* no state came yet: it counts for nothing */
  add_golden(&again, "event_scene_state");
  bytes missing = resumed(2, 3, 43, 0);
  add_golden(&missing, "event_scene_state");
  add_removed(&missing, 3, 7); /* 5 and 6 are missing */
  bytes left = {NULL, 0, 0};
  add_done(&left, 3);
  bytes last = whole(4, 3, EPOCH, 50, 3);
  add_golden(&last, "event_scene_state");
  add_removed(&last, 3, 5);
  script_step steps[] = {
      {HELLO, hello_of(EPOCH), 0, false}, {SUBSCRIBE, first, 0, true},
      {HELLO, hello_of(EPOCH), 0, false}, {SUBSCRIBE, again, 0, true},
      {HELLO, hello_of(EPOCH), 0, false}, {SUBSCRIBE, missing, 0, false},
      {UNSUBSCRIBE, left, 0, false},      {SUBSCRIBE, last, 0, true},
  };
  const char *path;
  server *server = server_listen(steps, 8, &path);
  told to = {.free_in = NULL};
  hp_table_callbacks callbacks = {.phase = on_phase, .gap = on_gap, .event = on_event};
  hp_table_options options = {
      .table = hp_table_named("items"), .scene = "main", .retry_first = 1, .retry_max = 5};
  hp_table *table = hp_table_new(&options, &callbacks, &to);
  CHECK(table != NULL && hp_table_connect(table, path));
  const hp_scene_copy *scene = hp_table_scene(table);
  CHECK(hp_scene_copy_state(scene) == NULL);
  CHECK(hp_table_wait(table, 0, WAIT)); /* live is: with the scene */
  CHECK(hp_scene_copy_is_whole(scene) && hp_copy_row_count(hp_table_copy(table)) == 2);
  while (hp_table_poll(table, WAIT)) continue;
  CHECK(hp_table_error(table)->code == HP_CODE_NOT_FOUND);
  CHECK(hp_table_gap(table) == HP_GAP_SCENE_REMOVED);
  CHECK(!hp_scene_copy_is_whole(scene) && hp_scene_copy_state(scene)->sequence == 4);
  CHECK(hp_copy_row_count(hp_table_copy(table)) == 3);
  /* State and node; node and state; state; state and the end. */
  CHECK(to.others == 7);
  CHECK_TEXT(to.log, "phase:connecting phase:catching_up event phase:live event "
                     "phase:waiting phase:connecting phase:catching_up event event phase:live "
                     "phase:waiting phase:connecting phase:catching_up event phase:live gap:order "
                     "phase:catching_up event phase:live event gap:scene_removed phase:ended ");
  hp_table_free(table);
  CHECK(server_end(server));
}

/* A table's life with an allocator; returns whether it came to its end without a failure. */
static bool live(const hp_allocator *allocator) {
  bytes all = whole(2, 3, EPOCH, 40, 2);
  add_golden(&all, "event_scene_state");
  add_insert(&all, 3, 40, 41, 50);
  add_golden(&all, "event_scene_node");
  add_ended(&all, 3, HP__V1__END_REASON__END_REASON_EXPIRED);
  script_step steps[] = {{HELLO, hello_of(EPOCH), 0, false},
                         {SUBSCRIBE, all, 0, false},
                         {SUBSCRIBE, whole(3, 4, EPOCH, 45, 4), 0, true}};
  const char *path;
  server *server = server_listen(steps, 3, &path);
  const char *columns[] = {"name", "value"};
  uint64_t sections[] = {9};
  const char *features[] = {"one"};
  hp_async_options connection = {.allocator = allocator, .actor = "anna/test",
                                 .features = features, .feature_count = 1,
                                 .resume_token = "earlier"};
  hp_table_options options = {.table = hp_table_named("items"), .connection = &connection,
                              .columns = columns, .column_count = 2, .sections = sections,
                              .section_count = 1, .scene = "main", .once = true};
  hp_table *table = hp_table_new(&options, NULL, NULL);
  bool well = table != NULL && hp_table_connect(table, path);
  if (well) {
    while (hp_table_poll(table, WAIT)) {
      /* After a failure the script may have nothing to say any more. */
      if (hp_table_error(table)->kind == HP_ERROR_MEMORY) break;
      if (hp_table_gap(table) == HP_GAP_MEMORY) break;
    }
    well = hp_copy_row_count(hp_table_copy(table)) == 4 &&
           hp_table_error(table)->kind == HP_ERROR_CLOSED;
  }
  hp_table_free(table);
  server_end(server);
  return well;
}

TEST(survives_failing_allocations_of_a_table) {
  long fail_at = 1;
  for (;; fail_at++) {
    failing state = {0, fail_at, false, 0};
    hp_allocator allocator = failing_allocator(&state);
    bool well = live(&allocator);
    if (state.living != 0) check_failed("allocation", (int)fail_at, "all memory is given back");
    if ((well && state.calls < fail_at) || fail_at > 3000) break;
  }
  CHECK(fail_at > 20 && fail_at <= 3000);
}
