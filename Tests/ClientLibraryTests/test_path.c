/* Where the socket is looked for (SPEC 12), and small pure functions. */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "test.h"
#include "tests.h"

static void make_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
  close(fd);
}

TEST(finds_the_socket) {
  char folder[] = "/tmp/hpclient-test-XXXXXX";
  char path[108], expected[256], directory[300];
  hp_error error;
  CHECK(mkdtemp(folder) != NULL);
  unsetenv("HPD_SOCKET");

  /* Given, then the environment; both are taken as they are. */
  CHECK(hp_socket_path("/a/b", path, sizeof path, &error));
  CHECK_TEXT(path, "/a/b");
  setenv("HPD_SOCKET", "/c/d", 1);
  CHECK(hp_socket_path("/a/b", path, sizeof path, &error));
  CHECK_TEXT(path, "/a/b");
  CHECK(hp_socket_path(NULL, path, sizeof path, NULL));
  CHECK_TEXT(path, "/c/d");
  unsetenv("HPD_SOCKET");

  /* The first where a socket is; without any the first of all, for the message. */
  setenv("XDG_RUNTIME_DIR", folder, 1);
  snprintf(directory, sizeof directory, "%s/hpd", folder);
  snprintf(expected, sizeof expected, "%s/hpd/hpd.sock", folder);
  CHECK(mkdir(directory, 0700) == 0);
  make_socket(expected);
  CHECK(hp_socket_path(NULL, path, sizeof path, &error));
  CHECK(strcmp(path, expected) == 0);
  unlink(expected);
  rmdir(directory);

  char shared[64], below[128], run[64];
  snprintf(run, sizeof run, "/run/user/%u/hpd/hpd.sock", (unsigned)geteuid());
  snprintf(shared, sizeof shared, "/tmp/hpd-%u", (unsigned)geteuid());
  snprintf(below, sizeof below, "%s/hpd.sock", shared);
  if (access(run, F_OK) != 0 && mkdir(shared, 0700) == 0) {
    CHECK(hp_socket_path(NULL, path, sizeof path, &error));
    CHECK(strcmp(path, expected) == 0);
    make_socket(below);
    CHECK(hp_socket_path(NULL, path, sizeof path, &error));
    CHECK(strcmp(path, below) == 0);
    /* Others may write there: the socket could be anybody's. */
    CHECK(chmod(shared, 0770) == 0);
    CHECK(!hp_socket_path(NULL, path, sizeof path, &error));
    CHECK(error.kind == HP_ERROR_SOCKET_PATH && strstr(error.message, shared) != NULL);
    unlink(below);
    rmdir(shared);
  }
  rmdir(folder);

  /* The limit of the address, named. */
  char text[200];
  memset(text, 'p', sizeof text);
  text[107] = 0;
  CHECK(hp_socket_path(text, path, sizeof path, &error) && strlen(path) == 107);
  text[107] = 'p';
  text[108] = 0;
  CHECK(!hp_socket_path(text, path, sizeof path, &error));
  CHECK(error.kind == HP_ERROR_SOCKET_PATH && strstr(error.message, "107") != NULL);
  CHECK(!hp_socket_path("/a/b", path, 4, &error));
  CHECK(!hp_socket_path("", path, sizeof path, &error));
  text[107] = 0;
  setenv("XDG_RUNTIME_DIR", "/ppp", 1);
  unsetenv("XDG_RUNTIME_DIR");
}

TEST(checks_text) {
  static const struct {
    const char *text;
    bool valid;
  } cases[] = {{"", true},
               {"abc", true},
               {"K\xc3\xa4se", true},
               {"\xe2\x82\xac", true},
               {"\xf0\x9f\x90\xbb", true},
               {"\xf4\x8f\xbf\xbf", true},
               {"\xee\x80\x80", true},
               {"\x80", false},
               {"\xc0\xaf", false},
               {"\xc1\xbf", false},
               {"\xc3", false},
               {"\xc3\x28", false},
               {"\xe0\x9f\xbf", false},
               {"\xe2\x82", false},
               {"\xed\xa0\x80", false},
               {"\xf0\x8f\xbf\xbf", false},
               {"\xf0\x9f\x90", false},
               {"\xf4\x90\x80\x80", false},
               {"\xf5\x80\x80\x80", false},
               {"\xff", false}};
  /* Through a batch, which takes text at any place. */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    hp_batch *batch = hp_batch_new(hp_table_named("items"), NULL);
    hp_cell cell = hp_cell_text("name", cases[i].text);
    bool taken = hp_batch_insert_row(batch, hp_place_default(), &cell, 1);
    if (taken != cases[i].valid) check_failed("text", (int)i, "it is taken iff it is valid");
    hp_batch_free(batch);
  }
}

TEST(names_codes) {
  CHECK_TEXT(hp_code_name(HP_CODE_STALE), "STALE");
  CHECK_TEXT(hp_code_name(HP_CODE_BUSY), "BUSY");
  CHECK_TEXT(hp_code_name((hp_code)9999), "UNKNOWN");
  CHECK_TEXT(hp_error_kind_name(HP_ERROR_TIMEOUT), "HP_ERROR_TIMEOUT");
  CHECK_TEXT(hp_version(), HP_VERSION);
  /* Every code of the schema has its name and number here. */
  const ProtobufCEnumDescriptor *codes = &hp__v1__error_code__descriptor;
  for (unsigned i = 0; i < codes->n_values; i++) {
    const ProtobufCEnumValue *code = &codes->values[i];
    if (code->value == 0) continue;
    if (strcmp(hp_code_name((hp_code)code->value), code->name) != 0) {
      check_failed(code->name, code->value, "the library knows the code");
    }
  }
}
