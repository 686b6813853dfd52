/*
 * Preloaded into a process, records what it does to the files of one folder, in order: writes, truncations and
 * synchronizations. Each record is appended with one write, so a killed process leaves whole records.
 *
 * A record: type (w, t, s, d), length of the name, offset, length of the data (64 bits each), name, data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int record_file = -1;
static const char *folder;

#define REAL(result, name, ...)                                  \
  static result (*real_##name)(__VA_ARGS__);                     \
  if (!real_##name) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* Returns the name of a file below the folder, or NULL. */
static const char *name_of(int file, char *path) {
  char link[64];
  if (!folder) folder = getenv("RECORD_FOLDER");
  if (!folder) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || path[prefix] != '/') return NULL;
  return path + prefix + 1;
}

static void record(char type, const char *name, int64_t offset, const void *data, int64_t length) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (record_file < 0) record_file = open(getenv("RECORD_FILE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  int64_t head[4] = {type, (int64_t)strlen(name), offset, length};
  struct iovec parts[3] = {{head, sizeof head}, {(void *)name, strlen(name)}, {(void *)data, (size_t)length}};
  if (real_writev(record_file, parts, 3) < 0) abort();
}

static ssize_t write_at(int file, const void *data, size_t length, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  char path[PATH_MAX];
  const char *name = name_of(file, path);
  if (!name) return real_pwrite64(file, data, length, offset);
  pthread_mutex_lock(&lock);
  ssize_t written = real_pwrite64(file, data, length, offset);
  if (written > 0) record('w', name, offset, data, written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) {
  return write_at(file, data, length, offset);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
  return write_at(file, data, length, offset);
}

ssize_t write(int file, const void *data, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  char path[PATH_MAX];
  const char *name = name_of(file, path);
  if (!name) return real_write(file, data, length);
  pthread_mutex_lock(&lock);
  off64_t offset = lseek64(file, 0, SEEK_CUR);
  ssize_t written = real_write(file, data, length);
  if (written > 0) record('w', name, offset, data, written);
  pthread_mutex_unlock(&lock);
  return written;
}

static int truncate_to(int file, off64_t length) {
  REAL(int, ftruncate64, int, off64_t);
  char path[PATH_MAX];
  const char *name = name_of(file, path);
  if (!name) return real_ftruncate64(file, length);
  pthread_mutex_lock(&lock);
  int result = real_ftruncate64(file, length);
  if (result == 0) record('t', name, length, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate64(int file, off64_t length) { return truncate_to(file, length); }
int ftruncate(int file, off_t length) { return truncate_to(file, length); }

/* What was written before a synchronization began is durable when it has ended. */
static int synchronize(int (*real)(int), int file) {
  char path[PATH_MAX];
  const char *name = name_of(file, path);
  if (!name) return real(file);
  pthread_mutex_lock(&lock);
  int result = real(file);
  if (result == 0) record('s', name, 0, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int file) {
  REAL(int, fsync, int);
  return synchronize(real_fsync, file);
}

int fdatasync(int file) {
  REAL(int, fdatasync, int);
  return synchronize(real_fdatasync, file);
}

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  int result = real_unlink(path);
  if (!folder) folder = getenv("RECORD_FOLDER");
  size_t prefix = folder ? strlen(folder) : 0;
  if (result == 0 && folder && strncmp(path, folder, prefix) == 0 && path[prefix] == '/') {
    pthread_mutex_lock(&lock);
    record('d', path + prefix + 1, 0, "", 0);
    pthread_mutex_unlock(&lock);
  }
  return result;
}
