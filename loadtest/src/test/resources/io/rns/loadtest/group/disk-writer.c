/* Writes files as a database does; its last argument makes it the database of a member. Prints a line after each step and awaits one before the next. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static void step(const char *what) {
  char line[16];
  printf("%s\n", what);
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin)) _exit(0);
}

static const char *outcome(ssize_t result) { return result < 0 ? strerror(errno) : "done"; }

int main(int count, char **arguments) {
  struct iovec parts[] = {{"56", 2}, {"78", 2}};
  if (count < 3 || chdir(arguments[1]) != 0) return 1;
  int log = open("binlog.000001", O_CREAT | O_WRONLY | O_APPEND, 0600);
  write(log, "1234", 4);
  fdatasync(log);
  writev(log, parts, 2);
  int relay = creat("relay.tmp", 0600);
  pwrite(relay, "123456", 6, 0);
  fsync(relay);
  pwrite(relay, "789", 3, 6);
  rename("relay.tmp", "relay.000001");
  int shorter = open("relay.000002", O_CREAT | O_WRONLY, 0600);
  write(shorter, "123456", 6);
  fsync(shorter);
  ftruncate(shorter, 2);
  write(shorter, "789", 3);
  int synchronous = open("relay.000003", O_CREAT | O_WRONLY | O_DSYNC, 0600);
  write(synchronous, "123456", 6);
  int never = open("relay.000004", O_CREAT | O_WRONLY, 0600);
  write(never, "123456", 6);
  int page = open("ibdata1", O_CREAT | O_WRONLY, 0600);
  write(page, "123456", 6);
  step("written");
  step(outcome(write(log, "9", 1)));
  step(outcome(pwrite(page, "x", 1, 0)));
  step(outcome(fsync(log)));
  return 0;
}
