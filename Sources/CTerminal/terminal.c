/* ioctl is variadic, so Swift can't call it. */
#include "CTerminal.h"

#include <sys/ioctl.h>

int hp_terminal_columns(int descriptor) {
  struct winsize size = {0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}
