// Sends back every byte it gets, on a Unix socket: the floor that no server gets under.
//
// usage: echo SOCKET
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strncpy(name.sun_path, argv[1], sizeof name.sun_path - 1);
  unlink(argv[1]);
  if (bind(listener, (struct sockaddr *)&name, sizeof name) != 0 || listen(listener, 128) != 0) {
    perror("echo");
    return 1;
  }
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  static char buffer[1 << 18];
  for (;;) {
    struct epoll_event events[64];
    int ready = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int client = accept4(listener, NULL, NULL, 0);
        struct epoll_event added = {.events = EPOLLIN, .data.fd = client};
        epoll_ctl(epoll, EPOLL_CTL_ADD, client, &added);
        continue;
      }
      ssize_t got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (got <= 0) {
        close(fd);
        continue;
      }
      for (ssize_t sent = 0; sent < got;) {
        ssize_t step = send(fd, buffer + sent, (size_t)(got - sent), MSG_NOSIGNAL);
        if (step < 0) break;
        sent += step;
      }
    }
  }
}
