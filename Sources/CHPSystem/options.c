#define _GNU_SOURCE
#include "hp_options.h"

#include <getopt.h>

enum { MAXIMUM = 64 };

int hp_option_next(int argc, char *const *argv, const char *letters,
                   const struct hp_option *options, size_t count, const char **argument,
                   int *index) {
  struct option list[MAXIMUM + 1] = {{0}};
  for (size_t i = 0; i < count && i < MAXIMUM; i++) {
    list[i].name = options[i].name;
    list[i].has_arg = options[i].takes_argument ? required_argument : no_argument;
    list[i].val = options[i].value;
  }
  int found = getopt_long(argc, argv, letters, list, NULL);
  *argument = optarg;
  *index = optind;
  return found;
}
