/*
 * The disk of a database in a drill, preloaded into its process: it knows how much of each file was synced, and it can
 * stall, fill up, or be without power.
 *
 * A process belongs to a member if an argument has a path below RNS_DISK/NAME/, NAME being "server-" and a number.
 * Files beside its directory control it: while NAME.off exists, its processes do not start; while NAME.stall exists,
 * nothing of its database is synced; while NAME.full exists, no file of its database grows. NAME.synced has, for each
 * file that the database opened for writing, its inode and the length that survives a power failure. Of a file that is
 * overwritten in place only the length is known. A file keeps its entry when it is renamed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(&addresses[__COUNTER__], #name))
#define SLOTS 65536
#define DESCRIPTORS 65536

struct slot {
  _Atomic uint64_t inode; /* 0: free */
  _Atomic int64_t synced;
};

static _Atomic(void *) addresses[64];
static char member[PATH_MAX]; /* its directory */
static struct slot *slots;    /* null unless this is its database */
static dev_t device;
static _Atomic char synchronous[DESCRIPTORS]; /* opened with O_SYNC or O_DSYNC */

static void *real(_Atomic(void *) *address, const char *name) {
  void *found = *address;
  if (!found) *address = found = dlsym(RTLD_NEXT, name);
  return found;
}

static int is(const char *state) {
  char path[PATH_MAX + 8];
  int before = errno, found;
  snprintf(path, sizeof path, "%s.%s", member, state);
  found = access(path, F_OK) == 0;
  errno = before;
  return found;
}

static void await_end_of(const char *state) {
  while (is(state)) nanosleep(&(struct timespec){0, 5000000}, NULL);
}

static struct slot *slot_of(uint64_t inode) {
  for (unsigned i = 0; i < SLOTS; i++) {
    struct slot *slot = &slots[(inode + i) % SLOTS];
    uint64_t found = 0;
    if (atomic_compare_exchange_strong(&slot->inode, &found, inode)) slot->synced = INT64_MAX;
    if (found == 0 || found == inode) return slot;
  }
  abort();
}

/* The slot of a regular file of the database, or null; with the current length of the file. */
static struct slot *known(int fd, int64_t *length) {
  struct stat file;
  if (!slots || fd <= STDERR_FILENO || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_dev != device) return NULL;
  *length = file.st_size;
  return slot_of(file.st_ino);
}

static void lower(struct slot *slot, int64_t length) {
  int64_t synced = slot->synced;
  while (length < synced && !atomic_compare_exchange_weak(&slot->synced, &synced, length)) {}
}

static void raise_to(struct slot *slot, int64_t length) {
  int64_t synced = slot->synced;
  while (length > synced && !atomic_compare_exchange_weak(&slot->synced, &synced, length)) {}
}

static int opened(int fd, int flags) {
  int64_t length;
  struct slot *slot;
  if (fd < 0 || !slots || (flags & O_ACCMODE) == O_RDONLY) return fd;
  if (fd < DESCRIPTORS) synchronous[fd] = (flags & O_DSYNC) != 0;
  /* What was there before the first process with this library counts as synced; an empty file may reuse an inode. */
  if ((slot = known(fd, &length))) lower(slot, length);
  return fd;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    return opened(REAL(name)(path, flags, mode), flags); \
  }
#define OPENAT(name) \
  int name(int directory, const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    return opened(REAL(name)(directory, path, flags, mode), flags); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
  if (slots && fd >= 0 && fd < DESCRIPTORS) synchronous[fd] = 0;
  return REAL(close)(fd);
}

static int sync_by(int (*call)(int), int fd) {
  int64_t length;
  struct slot *slot = known(fd, &length);
  if (slot) await_end_of("stall");
  int result = call(fd);
  /* What was appended during the call may have been missed by it. */
  if (slot && result == 0) raise_to(slot, length);
  return result;
}

int fsync(int fd) { return sync_by(REAL(fsync), fd); }
int fdatasync(int fd) { return sync_by(REAL(fdatasync), fd); }

static int truncated(int fd, int64_t to, int result) {
  int64_t length;
  struct slot *slot = result == 0 ? known(fd, &length) : NULL;
  if (slot) lower(slot, to);
  return result;
}

int ftruncate(int fd, off_t to) { return truncated(fd, to, REAL(ftruncate)(fd, to)); }
int ftruncate64(int fd, off64_t to) { return truncated(fd, to, REAL(ftruncate64)(fd, to)); }

/* Before a write that ends at this offset, or at the file's end if it is negative. */
static int refused(int fd, int64_t offset, int64_t count) {
  int64_t length;
  if (!slots || !is("full") || !known(fd, &length)) return 0;
  if (offset < 0) offset = fcntl(fd, F_GETFL) & O_APPEND ? length : lseek64(fd, 0, SEEK_CUR);
  return offset + count > length;
}

static void begin_synchronous(int fd) {
  if (slots && fd >= 0 && fd < DESCRIPTORS && synchronous[fd]) await_end_of("stall");
}

static ssize_t written(int fd, ssize_t result) {
  int64_t length;
  struct slot *slot;
  if (result > 0 && slots && fd < DESCRIPTORS && synchronous[fd] && (slot = known(fd, &length))) raise_to(slot, length);
  return result;
}

static int64_t total(const struct iovec *parts, int count) {
  int64_t sum = 0;
  for (int i = 0; i < count; i++) sum += parts[i].iov_len;
  return sum;
}

#define WRITE(name, parameters, arguments, offset, count) \
  ssize_t name parameters { \
    if (refused(fd, offset, count)) { \
      errno = ENOSPC; \
      return -1; \
    } \
    begin_synchronous(fd); \
    return written(fd, REAL(name) arguments); \
  }
WRITE(write, (int fd, const void *data, size_t count), (fd, data, count), -1, count)
WRITE(pwrite, (int fd, const void *data, size_t count, off_t at), (fd, data, count, at), at, count)
WRITE(pwrite64, (int fd, const void *data, size_t count, off64_t at), (fd, data, count, at), at, count)
WRITE(writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), -1, total(parts, count))
WRITE(pwritev, (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at), at, total(parts, count))
WRITE(pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at), at, total(parts, count))

int posix_fallocate(int fd, off_t at, off_t count) {
  return refused(fd, at, count) ? ENOSPC : REAL(posix_fallocate)(fd, at, count);
}
int posix_fallocate64(int fd, off64_t at, off64_t count) {
  return refused(fd, at, count) ? ENOSPC : REAL(posix_fallocate64)(fd, at, count);
}

static void fail(const char *what) {
  fprintf(stderr, "disk of a drill: %s: %s\n", what, strerror(errno));
  abort();
}

static void attach_database(void) {
  char path[PATH_MAX + 8];
  struct stat file;
  snprintf(path, sizeof path, "%s.synced", member);
  int fd = REAL(open)(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || REAL(ftruncate)(fd, SLOTS * sizeof(struct slot)) != 0 || fstat(fd, &file) != 0) fail(path);
  struct slot *mapped = mmap(NULL, SLOTS * sizeof(struct slot), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) fail(path);
  REAL(close)(fd);
  device = file.st_dev;
  slots = mapped;
}

__attribute__((constructor)) static void attach(void) {
  static char line[1 << 18]; /* more than the arguments of any process of a member */
  char below[PATH_MAX], database[PATH_MAX + 32];
  const char *root = getenv("RNS_DISK");
  int fd = REAL(open)("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (!root || fd < 0) return;
  size_t size = 0;
  for (ssize_t part; size < sizeof line - 1 && (part = read(fd, line + size, sizeof line - 1 - size)) > 0;) size += part;
  REAL(close)(fd);
  snprintf(below, sizeof below, "%s/server-", root);
  for (char *argument = line; argument < line + size && !*member; argument += strlen(argument) + 1) {
    char *found = strstr(argument, below), *end = found ? strchr(found + strlen(below), '/') : NULL;
    if (end) snprintf(member, sizeof member, "%.*s", (int)(end - found), found);
  }
  if (!*member) return;
  await_end_of("off");
  snprintf(database, sizeof database, "--datadir=%s/database/data", member);
  for (char *argument = line; argument < line + size; argument += strlen(argument) + 1) {
    if (strcmp(argument, database) == 0) attach_database();
  }
}
