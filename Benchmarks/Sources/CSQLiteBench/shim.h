#ifndef CSQLITE_BENCH_SHIM_H
#define CSQLITE_BENCH_SHIM_H

#include <sqlite3.h>

// Destructor constants are casts in C, which Swift doesn't import.

static inline int bench_bind_text(
  sqlite3_stmt *stmt, int index, const unsigned char *text, sqlite3_uint64 bytes
) {
  return sqlite3_bind_text64(stmt, index, (const char *)text, bytes, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int bench_bind_text_copy(
  sqlite3_stmt *stmt, int index, const unsigned char *text, sqlite3_uint64 bytes
) {
  return sqlite3_bind_text64(stmt, index, (const char *)text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int bench_bind_blob(
  sqlite3_stmt *stmt, int index, const void *blob, sqlite3_uint64 bytes
) {
  return sqlite3_bind_blob64(stmt, index, blob, bytes, SQLITE_STATIC);
}

#endif
