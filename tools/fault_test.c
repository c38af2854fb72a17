// Loaded into a program in front of the C library, fails one of its calls:
//
//   VIC_FAULT_UNDER=FOLDER   only calls about files below the folder count
//   VIC_FAULT=CALL:N:ERROR   the N-th CALL (open, read, write, fsync, rename, link, flock, ftruncate, mmap)
//                            fails with the ERROR (EIO, ENOSPC, EINTR), moves one byte (SHORT), or
//                            comes after a signal (SIGINT)
//   VIC_FAULT_LOG=FILE       a letter for each call that counted: o r w f n l k t m
//   VIC_FAULT_CLOCK=1        all clocks jump back and forth by up to a thousand days at every reading
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SIGNAL = -2, SHORT = -1, NONE = 0 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// whether a path or an open file is below the folder; AT_FDCWD is the folder of the process
static int below(int file, const char* path) {
  const char* under = getenv("VIC_FAULT_UNDER");
  char link[64], name[PATH_MAX];
  if (path != NULL && path[0] == '/') return under != NULL && strncmp(path, under, strlen(under)) == 0;
  if (file == AT_FDCWD) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t n = readlink(link, name, sizeof name - 1);
  if (n < 0 || under == NULL) return 0;
  name[n] = '\0';
  return strncmp(name, under, strlen(under)) == 0;
}

// counts the call and returns how it is to fail: an errno, SHORT, SIGNAL or NONE
static int fault(const char* call, char letter) {
  static int count = 0;
  const char *wanted = getenv("VIC_FAULT"), *log = getenv("VIC_FAULT_LOG");
  if (log != NULL) {
    const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) {
      syscall(SYS_write, file, &letter, 1);
      close(file);
    }
  }
  const size_t n = strlen(call);
  if (wanted == NULL || strncmp(wanted, call, n) != 0 || wanted[n] != ':') return NONE;
  char* error = NULL;
  const long at = strtol(wanted + n + 1, &error, 10);
  pthread_mutex_lock(&lock);
  const int mine = ++count == at;
  pthread_mutex_unlock(&lock);
  if (!mine) return NONE;
  ++error;
  return strcmp(error, "EIO") == 0      ? EIO
         : strcmp(error, "ENOSPC") == 0 ? ENOSPC
         : strcmp(error, "EINTR") == 0  ? EINTR
         : strcmp(error, "SIGINT") == 0 ? SIGNAL
                                        : SHORT;
}

// the body of a replacement: fails as requested, or makes the real call. A short count for a call
// that has none is no fault
#define REPLACE(call, letter, counts, result, name, parameters, arguments, shorten)     \
  {                                                                                     \
    static result(*real) parameters = NULL;                                             \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, name);                          \
    const int wrong = (counts) ? fault(call, letter) : NONE;                            \
    if (wrong > 0) {                                                                    \
      errno = wrong;                                                                    \
      return (result)-1;                                                                \
    }                                                                                   \
    if (wrong == SIGNAL) raise(SIGINT);                                                 \
    if (wrong == SHORT) {                                                               \
      shorten;                                                                          \
    }                                                                                   \
    return real arguments;                                                              \
  }

// open has a mode only if it may create a file
#define MODE()                              \
  mode_t mode = 0;                          \
  if (flags & (O_CREAT | __O_TMPFILE)) {    \
    va_list list;                           \
    va_start(list, flags);                  \
    mode = va_arg(list, mode_t);            \
    va_end(list);                           \
  }

#define OPEN(name)                                                                          \
  int name(const char* path, int flags, ...) {                                              \
    MODE()                                                                                  \
    REPLACE("open", 'o', below(AT_FDCWD, path), int, #name, (const char*, int, ...),        \
            (path, flags, mode), (void)0)                                                   \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                        \
  int name(int folder, const char* path, int flags, ...) {                                  \
    MODE()                                                                                  \
    REPLACE("open", 'o', below(folder, path), int, #name, (int, const char*, int, ...),     \
            (folder, path, flags, mode), (void)0)                                           \
  }
OPENAT(openat)
OPENAT(openat64)

ssize_t read(int file, void* bytes, size_t n)
    REPLACE("read", 'r', below(file, NULL), ssize_t, "read", (int, void*, size_t), (file, bytes, n),
            if (n > 1) n = 1)

ssize_t write(int file, const void* bytes, size_t n)
    REPLACE("write", 'w', below(file, NULL), ssize_t, "write", (int, const void*, size_t),
            (file, bytes, n), if (n > 1) n = 1)

int fsync(int file) REPLACE("fsync", 'f', below(file, NULL), int, "fsync", (int), (file), (void)0)
int fdatasync(int file)
    REPLACE("fsync", 'f', below(file, NULL), int, "fdatasync", (int), (file), (void)0)

int rename(const char* from, const char* to)
    REPLACE("rename", 'n', below(AT_FDCWD, to), int, "rename", (const char*, const char*),
            (from, to), (void)0)
int renameat(int a, const char* from, int b, const char* to)
    REPLACE("rename", 'n', below(b, to), int, "renameat", (int, const char*, int, const char*),
            (a, from, b, to), (void)0)

int flock(int file, int operation)
    REPLACE("flock", 'k', below(file, NULL), int, "flock", (int, int), (file, operation), (void)0)

int link(const char* from, const char* to)
    REPLACE("link", 'l', below(AT_FDCWD, to), int, "link", (const char*, const char*), (from, to),
            (void)0)

#define FTRUNCATE(name, offset)                                                          \
  int name(int file, offset length)                                                      \
      REPLACE("ftruncate", 't', below(file, NULL), int, #name, (int, offset), (file, length), \
              (void)0)
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define MMAP(name, offset)                                                                      \
  void* name(void* at, size_t n, int protection, int flags, int file, offset begin)             \
      REPLACE("mmap", 'm', file >= 0 && below(file, NULL), void*, #name,                        \
              (void*, size_t, int, int, int, offset), (at, n, protection, flags, file, begin), \
              (void)0)
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int clock_gettime(clockid_t clock, struct timespec* now) {
  static unsigned looks = 0;
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && getenv("VIC_FAULT_CLOCK") != NULL) {
    const long days = (long)(__atomic_add_fetch(&looks, 7919, __ATOMIC_RELAXED) % 2001) - 1000;
    now->tv_sec += 86400 * days;
  }
  return result;
}
