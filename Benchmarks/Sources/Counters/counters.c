#define _GNU_SOURCE
#include "counters.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool counting;
static atomic_uint_fast64_t prepares, steps, allocations;

static void zero(atomic_uint_fast64_t *counter) {
  atomic_store_explicit(counter, 0, memory_order_relaxed);
}

// Not inlined, and with something to do after the call: the profiler has to see where the pass begins and ends.
__attribute__((noinline)) void measured_pass(void (*work)(void *), void *context) {
  work(context);
  __asm__ volatile("" ::: "memory");
}

void counters_start(void) {
  zero(&prepares);
  zero(&steps);
  zero(&allocations);
  atomic_store(&counting, true);
}

bench_counters counters_stop(void) {
  atomic_store(&counting, false);
  return (bench_counters){prepares, steps, allocations};
}

#ifndef __linux__

void keep_memory(void) {}

uint64_t heap_in_use(void) { return 0; }

#else

#include <malloc.h>

void keep_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_ARENA_MAX, 1);
}

uint64_t heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// When off, a count is one test of a flag that is never written: no locked instruction.
static inline void count(atomic_uint_fast64_t *counter) {
  if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), false)) {
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
  }
}

// The executable's definitions win over those of the shared libraries. The C library's own
// functions keep a second name, so no dlsym is needed here (it allocates).

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count(&allocations);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(&allocations);
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count(&allocations);
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count(&allocations);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *pointer = memalign(alignment, size);
  if (pointer == NULL) return ENOMEM;
  *result = pointer;
  return 0;
}

typedef int (*prepare_v2_function)(void *, const char *, int, void **, const char **);
typedef int (*prepare_v3_function)(void *, const char *, int, unsigned, void **, const char **);
typedef int (*step_function)(void *);

static prepare_v2_function next_prepare_v2;
static prepare_v3_function next_prepare_v3;
static step_function next_step;

__attribute__((constructor)) static void find_next(void) {
  next_prepare_v2 = (prepare_v2_function)dlsym(RTLD_NEXT, "sqlite3_prepare_v2");
  next_prepare_v3 = (prepare_v3_function)dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
  next_step = (step_function)dlsym(RTLD_NEXT, "sqlite3_step");
}

int sqlite3_prepare_v2(void *db, const char *sql, int bytes, void **stmt, const char **tail) {
  count(&prepares);
  return next_prepare_v2(db, sql, bytes, stmt, tail);
}

int sqlite3_prepare_v3(
  void *db, const char *sql, int bytes, unsigned flags, void **stmt, const char **tail
) {
  count(&prepares);
  return next_prepare_v3(db, sql, bytes, flags, stmt, tail);
}

int sqlite3_step(void *stmt) {
  count(&steps);
  return next_step(stmt);
}

#endif
