#include "faults.h"

#include <sqlite3.h>

// The counters are atomic: a pool has several threads.

static sqlite3_mem_methods real;
static int64_t call_count, failing_call, live_count;
static int is_lasting, struck_count;

static int strikes(void) {
  int64_t call = __atomic_add_fetch(&call_count, 1, __ATOMIC_SEQ_CST);
  int64_t failing = __atomic_load_n(&failing_call, __ATOMIC_SEQ_CST);
  int lasts = __atomic_load_n(&is_lasting, __ATOMIC_SEQ_CST);
  if (failing == 0 || (call != failing && !(lasts && call > failing))) return 0;
  __atomic_add_fetch(&struck_count, 1, __ATOMIC_SEQ_CST);
  return 1;
}

static void *allocate(int size) {
  if (strikes()) return 0;
  void *memory = real.xMalloc(size);
  if (memory) __atomic_add_fetch(&live_count, 1, __ATOMIC_SEQ_CST);
  return memory;
}

static void *reallocate(void *memory, int size) {
  return strikes() ? 0 : real.xRealloc(memory, size);
}

static void release(void *memory) {
  if (memory) __atomic_sub_fetch(&live_count, 1, __ATOMIC_SEQ_CST);
  real.xFree(memory);
}

int quarry_memory_install(void) {
  int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
  if (code != SQLITE_OK) return code;
  sqlite3_mem_methods methods = real;
  methods.xMalloc = allocate;
  methods.xRealloc = reallocate;
  methods.xFree = release;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void quarry_memory_arm(int64_t call, int lasting) {
  __atomic_store_n(&is_lasting, lasting, __ATOMIC_SEQ_CST);
  __atomic_store_n(&struck_count, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&call_count, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&failing_call, call, __ATOMIC_SEQ_CST);
}

int64_t quarry_memory_call_count(void) { return __atomic_load_n(&call_count, __ATOMIC_SEQ_CST); }

int quarry_memory_struck(void) { return __atomic_load_n(&struck_count, __ATOMIC_SEQ_CST); }

int64_t quarry_memory_live_count(void) { return __atomic_load_n(&live_count, __ATOMIC_SEQ_CST); }
