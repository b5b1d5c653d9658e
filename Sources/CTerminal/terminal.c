/* ioctl is variadic, so Swift can't call it. */
#include "CTerminal.h"

#include <fcntl.h>
#include <errno.h>
#include <sys/ioctl.h>

int hp_terminal_columns(int descriptor) {
  struct winsize size = {0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

int hp_terminal_keep_standard(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    /* The lowest free number is this one. */
    int flags = descriptor == 0 ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", flags) != descriptor) return -1;
  }
  return 0;
}
