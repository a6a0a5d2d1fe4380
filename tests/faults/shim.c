// Lets one call of a kind fail: preloaded (LD_PRELOAD), it counts the calls that a program makes from main() on, and the N-th of
// TADA_FAULT=KIND:N fails as the system would let it fail. TADA_FAULT_COUNTS=FILE writes how many there were, a line a kind.
//   alloc   malloc and its like, and memory by mmap: nothing is left (ENOMEM); not while a library that is being loaded sets itself
//           up, which some that Arrow brings along do not survive, before anything is read or written
//   read    the disk cannot be read (EIO)
//   write   the disk is full (ENOSPC); not of standard error, where messages go
//   sync    the disk cannot be written (EIO)
//   rename  a file cannot get its name (EIO)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALLOC, READ, WRITE, SYNC, RENAME, KINDS };
static const char *const kNames[KINDS] = {"alloc", "read", "write", "sync", "rename"};

static atomic_int armed;
static atomic_long calls[KINDS];
static int failing = -1;
static long failing_call;

// Whether the loader is below whoever called: it runs the initializers of a library. Calls of its own do not count.
static int in_initializers(void) {
  void *frames[64];
  Dl_info own, at;
  const int count = backtrace(frames, 64);
  int callers = 0;
  dladdr(&armed, &own);
  for (int i = 0; i < count; ++i) {
    if (dladdr(frames[i], &at) == 0 || at.dli_fbase == own.dli_fbase) continue;
    if (strstr(at.dli_fname, "/ld-linux") != NULL) return callers > 0;
    ++callers;
  }
  return 0;
}

static int fails(int kind) {
  if (!atomic_load_explicit(&armed, memory_order_relaxed)) return 0;
  const long call = atomic_fetch_add(&calls[kind], 1) + 1;
  if (kind != failing || call != failing_call) return 0;
  return kind != ALLOC || !in_initializers();
}

// The functions of the system. dlsym may allocate, which a small buffer serves.
static char early[65536];
static size_t early_used;
static void *take_early(size_t size) {
  void *place = early + early_used;
  early_used += (size + 15) & ~(size_t)15;
  if (early_used > sizeof early) _exit(99);
  return place;
}
static int is_early(const void *place) { return (const char *)place >= early && (const char *)place < early + sizeof early; }

#define NEXT(name)                                          \
  static __typeof__(&name) next;                            \
  if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int resolving;
void *malloc(size_t size) {
  static void *(*next)(size_t);
  if (next == NULL) {
    if (resolving) return take_early(size);
    resolving = 1;
    next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    resolving = 0;
  }
  if (fails(ALLOC)) return errno = ENOMEM, NULL;
  return next(size);
}
void *calloc(size_t count, size_t size) {
  static void *(*next)(size_t, size_t);
  if (next == NULL) {
    if (resolving) return memset(take_early(count * size), 0, count * size);
    resolving = 1;
    next = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    resolving = 0;
  }
  if (fails(ALLOC)) return errno = ENOMEM, NULL;
  return next(count, size);
}
void *realloc(void *place, size_t size) {
  NEXT(realloc);
  if (fails(ALLOC)) return errno = ENOMEM, NULL;
  return next(is_early(place) ? NULL : place, size);
}
void free(void *place) {
  static void (*next)(void *);
  if (is_early(place)) return;
  if (next == NULL) next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  next(place);
}
int posix_memalign(void **place, size_t alignment, size_t size) {
  NEXT(posix_memalign);
  return fails(ALLOC) ? ENOMEM : next(place, alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  NEXT(aligned_alloc);
  if (fails(ALLOC)) return errno = ENOMEM, NULL;
  return next(alignment, size);
}
void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  NEXT(mmap);
  if ((flags & MAP_ANONYMOUS) != 0 && fails(ALLOC)) return errno = ENOMEM, MAP_FAILED;
  return next(at, size, protection, flags, descriptor, offset);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
  NEXT(read);
  return fails(READ) ? (errno = EIO, -1) : next(descriptor, bytes, size);
}
ssize_t pread(int descriptor, void *bytes, size_t size, off_t at) {
  NEXT(pread);
  return fails(READ) ? (errno = EIO, -1) : next(descriptor, bytes, size, at);
}
ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t at) {
  NEXT(pread64);
  return fails(READ) ? (errno = EIO, -1) : next(descriptor, bytes, size, at);
}
ssize_t readv(int descriptor, const struct iovec *parts, int count) {
  NEXT(readv);
  return fails(READ) ? (errno = EIO, -1) : next(descriptor, parts, count);
}
ssize_t write(int descriptor, const void *bytes, size_t size) {
  NEXT(write);
  return descriptor != 2 && fails(WRITE) ? (errno = ENOSPC, -1) : next(descriptor, bytes, size);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t at) {
  NEXT(pwrite64);
  return fails(WRITE) ? (errno = ENOSPC, -1) : next(descriptor, bytes, size, at);
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  NEXT(writev);
  return descriptor != 2 && fails(WRITE) ? (errno = ENOSPC, -1) : next(descriptor, parts, count);
}
int fsync(int descriptor) {
  NEXT(fsync);
  return fails(SYNC) ? (errno = EIO, -1) : next(descriptor);
}
int fdatasync(int descriptor) {
  NEXT(fdatasync);
  return fails(SYNC) ? (errno = EIO, -1) : next(descriptor);
}
int rename(const char *from, const char *to) {
  NEXT(rename);
  return fails(RENAME) ? (errno = EIO, -1) : next(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  NEXT(renameat2);
  return fails(RENAME) ? (errno = EIO, -1) : next(from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to) {
  NEXT(link);
  return fails(RENAME) ? (errno = EIO, -1) : next(from, to);
}

static void write_counts(void) {
  const char *path = getenv("TADA_FAULT_COUNTS");
  atomic_store(&armed, 0);
  if (path == NULL) return;
  char text[256];
  int size = 0;
  for (int kind = 0; kind < KINDS; ++kind)
    size += snprintf(text + size, sizeof text - (size_t)size, "%s %ld\n", kNames[kind], atomic_load(&calls[kind]));
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && write(file, text, (size_t)size) != size) size = 0;
  if (file >= 0) close(file);
}

static int (*real_main)(int, char **, char **);
static int armed_main(int count, char **arguments, char **environment) {
  const char *asked = getenv("TADA_FAULT");
  if (asked != NULL) {
    for (int kind = 0; kind < KINDS; ++kind) {
      const size_t size = strlen(kNames[kind]);
      if (strncmp(asked, kNames[kind], size) == 0 && asked[size] == ':') {
        failing = kind;
        failing_call = atol(asked + size + 1);
      }
    }
  }
  atexit(&write_counts);
  atomic_store(&armed, 1);
  const int code = real_main(count, arguments, environment);
  atomic_store(&armed, 0);
  return code;
}

int __libc_start_main(int (*main_)(int, char **, char **), int count, char **arguments, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      (__typeof__(next))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main_;
  return next(armed_main, count, arguments, init, fini, rtld_fini, stack_end);
}
