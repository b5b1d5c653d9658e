#ifndef HP_OPTIONS_H
#define HP_OPTIONS_H

#include <stddef.h>

// A long option; `value` is what hp_option_next returns for it, from 256 on.
struct hp_option {
  const char *name;
  int value;
  int takes_argument;
};

// The next option of the command line, by glibc's getopt_long: its value or short letter, -1 at
// the end (`*index` is then the first word that is no option), '?' after a message on stderr.
int hp_option_next(int argc, char *const *argv, const char *letters,
                   const struct hp_option *options, size_t count, const char **argument,
                   int *index);

#endif
