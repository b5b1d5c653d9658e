#include "test.h"
#include "tests.h"

static int failed_checks;

void check_failed(const char *file, int line, const char *what) {
  failed_checks += 1;
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
}

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    test_function *run;
  } tests[] = {
#define X(name) {#name, name},
      ALL_TESTS(X)
#undef X
  };
  int passed = 0;
  int failed = 0;
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    if (count > 1 && strcmp(arguments[1], tests[i].name) != 0) continue;
    failed_checks = 0;
    tests[i].run();
    if (failed_checks == 0) {
      passed += 1;
    } else {
      failed += 1;
      fprintf(stderr, "FAILED %s\n", tests[i].name);
    }
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
