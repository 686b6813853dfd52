/* Preloaded into a process, makes each synchronization with the disk take DELAY_SYNC_US microseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int delayed(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *delay = getenv("DELAY_SYNC_US");
  if (delay) usleep((useconds_t)atoi(delay));
  return real(file);
}

int fsync(int file) { return delayed("fsync", file); }
int fdatasync(int file) { return delayed("fdatasync", file); }
