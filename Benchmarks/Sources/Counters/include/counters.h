#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

#include <stdint.h>

// What the whole process did between counters_start and counters_stop. Everything is zero where
// the functions of the C library can't be replaced (anywhere but Linux).
typedef struct {
  uint64_t prepares;
  uint64_t steps;
  uint64_t allocations;
} bench_counters;

// Makes the allocator keep the memory it has once got, so that no contender pays the kernel for
// pages that the one before gave back.
void keep_memory(void);

// Calls a function. A profiler that counts inside of this one counts a pass, and nothing before or after.
void measured_pass(void (*work)(void *), void *context);

// The bytes of all blocks that were allocated and not yet freed. Zero anywhere but on Linux.
uint64_t heap_in_use(void);

void counters_start(void);
bench_counters counters_stop(void);

#endif
