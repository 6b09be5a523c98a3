/*
 * Preloaded into a redis-server: its wall clock is that of the machine plus as many microseconds as the file
 * clock-offset says, in the folder in which the server was started. The monotonic clock stays what it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t nothing = 0;
static volatile int64_t *offset = &nothing;
static int (*real_clock)(clockid_t, struct timespec *) = 0;

__attribute__((constructor)) static void open_offset(void) {
  real_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int file = open("clock-offset", O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(int64_t)) != 0) return;
  void *at = mmap(0, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) offset = at;
  close(file);
}

static int64_t wall_micros(void) {
  struct timespec now = {0, 0};
  if (real_clock) real_clock(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 + *offset;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  (void)zone;
  int64_t now = wall_micros();
  to->tv_sec = now / 1000000;
  to->tv_usec = now % 1000000;
  return 0;
}

int clock_gettime(clockid_t id, struct timespec *to) {
  if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) return real_clock ? real_clock(id, to) : -1;
  int64_t now = wall_micros();
  to->tv_sec = now / 1000000;
  to->tv_nsec = now % 1000000 * 1000;
  return 0;
}

time_t time(time_t *to) {
  time_t now = wall_micros() / 1000000;
  if (to) *to = now;
  return now;
}
