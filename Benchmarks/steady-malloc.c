// An allocator for Scripts/instructions, preloaded instead of the one of the C library.
//
// A call costs the same number of instructions whatever was allocated before: a size has a list of
// free blocks, and a block never changes its size. In the C library, what one change of a program
// leaves on the heap can make each later insertion of a benchmark miss a list (80 instructions).
// Nothing is given back to the system.

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
  uint32_t list;    // The number of the list that the block belongs to.
  uint32_t shift;   // The bytes between the block and an aligned address in it.
  uint64_t unused;  // Addresses are multiples of 16.
} Header;

typedef struct Free {
  struct Free *next;
} Free;

enum { granule = 16, smallest_large = 2048, large_lists = 32 };
static const size_t arena_size = (size_t)16 << 30;
static Free *lists[smallest_large / 2 / granule + 1 + large_lists];
static char *unused;
static char *end;
static bool is_locked;

static void lock(void) {
  while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE)) sched_yield();
}

static void unlock(void) { __atomic_clear(&is_locked, __ATOMIC_RELEASE); }

// Multiples of 16 up to 1024, then powers of two.
static uint32_t list_of(size_t size) {
  if (size <= smallest_large / 2) return (uint32_t)((size + granule - 1) / granule);
  return smallest_large / 2 / granule - 10 + (uint32_t)(64 - __builtin_clzl(size - 1));
}

static size_t size_of(uint32_t list) {
  if (list <= smallest_large / 2 / granule) return (size_t)list * granule;
  return (size_t)1 << (list - smallest_large / 2 / granule + 10);
}

static Header *header_of(void *address) { return (Header *)address - 1; }

void *malloc(size_t size) {
  if (size > arena_size) {
    errno = ENOMEM;
    return NULL;
  }
  uint32_t list = list_of(size ? size : 1);
  lock();
  void *block = lists[list];
  if (block) {
    lists[list] = ((Free *)block)->next;
  } else {
    if (!unused) {
      unused = mmap(NULL, arena_size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      end = unused == MAP_FAILED ? unused : unused + arena_size;
    }
    size_t needed = sizeof(Header) + size_of(list);
    if ((size_t)(end - unused) >= needed) {
      block = unused + sizeof(Header);
      unused += needed;
      *header_of(block) = (Header){.list = list};
    }
  }
  unlock();
  if (!block) errno = ENOMEM;
  return block;
}

void free(void *address) {
  if (!address) return;
  Header header = *header_of(address);
  Free *block = (Free *)((char *)address - header.shift);
  lock();
  block->next = lists[header.list];
  lists[header.list] = block;
  unlock();
}

size_t malloc_usable_size(void *address) {
  if (!address) return 0;
  Header header = *header_of(address);
  return size_of(header.list) - header.shift;
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  void *address = malloc(bytes);
  return address ? memset(address, 0, bytes) : NULL;
}

void *realloc(void *address, size_t size) {
  if (!address) return malloc(size);
  size_t old = malloc_usable_size(address);
  if (size <= old) return address;
  void *larger = malloc(size);
  if (larger) {
    memcpy(larger, address, old);
    free(address);
  }
  return larger;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  char *block = malloc(alignment <= granule ? size : size + alignment);
  if (!block) return ENOMEM;
  uint32_t shift = alignment <= granule ? 0 : (uint32_t)(-(uintptr_t)block & (alignment - 1));
  if (shift) {
    *header_of(block + shift) = (Header){.list = header_of(block)->list, .shift = shift};
  }
  *result = block + shift;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *result;
  int code = posix_memalign(&result, alignment, size);
  if (code) errno = code;
  return code ? NULL : result;
}

void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

// The benchmarks count allocations by functions of their own, which call these.
void *__libc_malloc(size_t) __attribute__((alias("malloc")));
void *__libc_calloc(size_t, size_t) __attribute__((alias("calloc")));
void *__libc_realloc(void *, size_t) __attribute__((alias("realloc")));
void *__libc_memalign(size_t, size_t) __attribute__((alias("memalign")));
