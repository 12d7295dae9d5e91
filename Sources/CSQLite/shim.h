#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// Swift can't call variadic C functions: these shims give them a fixed signature.

typedef void (*quarry_log_callback)(void *context, int code, const char *message);

static inline int quarry_config_log(quarry_log_callback callback, void *context) {
  return sqlite3_config(SQLITE_CONFIG_LOG, callback, context);
}

static inline int quarry_db_config_int(sqlite3 *db, int operation, int value) {
  return sqlite3_db_config(db, operation, value, NULL);
}

// A word that several threads read and write without a lock.

static inline uintptr_t quarry_atomic_load(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void quarry_atomic_store(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Functions that came after SQLite 3.35. Headers from before don't declare them. Libraries from before don't have them:
// the reference is weak, so that the program starts all the same, and the version is checked before the call.

#if SQLITE_VERSION_NUMBER >= 3038000
#pragma weak sqlite3_error_offset
#pragma weak sqlite3_vtab_in
#pragma weak sqlite3_vtab_in_first
#pragma weak sqlite3_vtab_in_next
#endif

#pragma weak sqlite3_serialize
#pragma weak sqlite3_deserialize

// Where the last error is in its SQL, in bytes, or -1.
static inline int quarry_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  if (sqlite3_libversion_number() >= 3038000) return sqlite3_error_offset(db);
#endif
  return -1;
}

// Snapshots of the write-ahead log: libraries without SQLITE_ENABLE_SNAPSHOT don't have them.

#pragma weak sqlite3_snapshot_get
#pragma weak sqlite3_snapshot_open
#pragma weak sqlite3_snapshot_free

static inline int quarry_has_snapshots(void) {
  return sqlite3_snapshot_get && sqlite3_snapshot_open && sqlite3_snapshot_free;
}

static inline int quarry_snapshot_get(sqlite3 *db, const char *schema, sqlite3_snapshot **snapshot) {
  return sqlite3_snapshot_get(db, schema, snapshot);
}

static inline int quarry_snapshot_open(sqlite3 *db, const char *schema, sqlite3_snapshot *snapshot) {
  return sqlite3_snapshot_open(db, schema, snapshot);
}

static inline void quarry_snapshot_free(sqlite3_snapshot *snapshot) {
  sqlite3_snapshot_free(snapshot);
}

// Extensions: libraries with SQLITE_OMIT_LOAD_EXTENSION can't load them.

#pragma weak sqlite3_load_extension

#if defined(SQLITE_OMIT_LOAD_EXTENSION)
extern int sqlite3_load_extension(sqlite3 *db, const char *path, const char *entry_point, char **message);
#endif

static inline int quarry_has_extensions(void) { return sqlite3_load_extension != NULL; }

static inline int quarry_load_extension(sqlite3 *db, const char *path, const char *entry_point, char **message) {
  return sqlite3_load_extension(db, path, entry_point, message);
}

// The preupdate hook: libraries without SQLITE_ENABLE_PREUPDATE_HOOK don't have it, and headers may not declare it.

typedef void (*quarry_preupdate_callback)(
  void *context, sqlite3 *db, int operation, const char *schema, const char *table,
  sqlite3_int64 initial_rowid, sqlite3_int64 final_rowid);

#pragma weak sqlite3_preupdate_hook
#pragma weak sqlite3_preupdate_old
#pragma weak sqlite3_preupdate_new
#pragma weak sqlite3_preupdate_count
#pragma weak sqlite3_preupdate_depth

#if !defined(SQLITE_ENABLE_PREUPDATE_HOOK)
extern void *sqlite3_preupdate_hook(sqlite3 *db, quarry_preupdate_callback callback, void *context);
extern int sqlite3_preupdate_old(sqlite3 *db, int index, sqlite3_value **value);
extern int sqlite3_preupdate_new(sqlite3 *db, int index, sqlite3_value **value);
extern int sqlite3_preupdate_count(sqlite3 *db);
extern int sqlite3_preupdate_depth(sqlite3 *db);
#endif

static inline int quarry_has_preupdate_hook(void) {
  return sqlite3_preupdate_hook && sqlite3_preupdate_old && sqlite3_preupdate_new && sqlite3_preupdate_count
    && sqlite3_preupdate_depth;
}

// Returns the context of the hook that was replaced.
static inline void *quarry_preupdate_hook(sqlite3 *db, quarry_preupdate_callback callback, void *context) {
  return sqlite3_preupdate_hook(db, callback, context);
}

static inline int quarry_preupdate_old(sqlite3 *db, int index, sqlite3_value **value) {
  return sqlite3_preupdate_old(db, index, value);
}

static inline int quarry_preupdate_new(sqlite3 *db, int index, sqlite3_value **value) {
  return sqlite3_preupdate_new(db, index, value);
}

static inline int quarry_preupdate_count(sqlite3 *db) { return sqlite3_preupdate_count(db); }

static inline int quarry_preupdate_depth(sqlite3 *db) { return sqlite3_preupdate_depth(db); }

// Destructor constants are casts in C, which Swift doesn't import.

static inline int quarry_bind_text_copy(sqlite3_stmt *stmt, int index, const char *text, sqlite3_uint64 bytes) {
  return sqlite3_bind_text64(stmt, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int quarry_bind_text_static(sqlite3_stmt *stmt, int index, const char *text, sqlite3_uint64 bytes) {
  return sqlite3_bind_text64(stmt, index, text, bytes, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int quarry_bind_blob_copy(sqlite3_stmt *stmt, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(stmt, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void quarry_result_text_copy(sqlite3_context *context, const char *text, sqlite3_uint64 bytes) {
  sqlite3_result_text64(context, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void quarry_result_blob_copy(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

// Virtual tables: SQLite's structures, and an object each.

typedef struct quarry_vtab {
  sqlite3_vtab base;
  void *object;
} quarry_vtab;

typedef struct quarry_vtab_cursor {
  sqlite3_vtab_cursor base;
  void *object;
} quarry_vtab_cursor;

static inline int quarry_vtab_config(sqlite3 *db, int option) {
  return sqlite3_vtab_config(db, option, 1);
}

// Whether a constraint is a list of values, which the table can ask for at once.
static inline int quarry_vtab_in(sqlite3_index_info *info, int constraint, int handle) {
#if SQLITE_VERSION_NUMBER >= 3038000
  if (sqlite3_libversion_number() >= 3038000) return sqlite3_vtab_in(info, constraint, handle);
#endif
  return 0;
}

static inline int quarry_vtab_in_first(sqlite3_value *list, sqlite3_value **value) {
#if SQLITE_VERSION_NUMBER >= 3038000
  if (sqlite3_libversion_number() >= 3038000) return sqlite3_vtab_in_first(list, value);
#endif
  return SQLITE_MISUSE;
}

static inline int quarry_vtab_in_next(sqlite3_value *list, sqlite3_value **value) {
#if SQLITE_VERSION_NUMBER >= 3038000
  if (sqlite3_libversion_number() >= 3038000) return sqlite3_vtab_in_next(list, value);
#endif
  return SQLITE_MISUSE;
}

// The stack of the current thread. Not in the interface that Swift imports: systems differ.

#if !defined(__APPLE__)
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif

static inline int quarry_stack_bounds(uintptr_t *bottom, uintptr_t *top) {
#if defined(__APPLE__)
  *top = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  *bottom = *top - pthread_get_stacksize_np(pthread_self());
  return 0;
#else
  pthread_attr_t attributes;
  void *address;
  size_t size;
  int code = pthread_getattr_np(pthread_self(), &attributes);
  if (code != 0) return code;
  code = pthread_attr_getstack(&attributes, &address, &size);
  pthread_attr_destroy(&attributes);
  if (code != 0) return code;
  *bottom = (uintptr_t)address;
  *top = *bottom + size;
  return 0;
#endif
}

static inline uintptr_t quarry_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0);
}

#endif
