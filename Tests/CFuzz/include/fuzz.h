#ifndef QUARRY_FUZZ_H
#define QUARRY_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// The input that is being tried, which is written to a file when the process crashes, or takes more
// than 20 seconds.
void quarry_fuzz_begin(const uint8_t *bytes, size_t count);
void quarry_fuzz_report_to(const char *path);

// Has SQLite stop a statement after so many instructions, and allocate 256 MiB at most.
void quarry_fuzz_limit(void *connection, int instruction_count);

#endif
