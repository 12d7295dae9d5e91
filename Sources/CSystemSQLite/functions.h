#ifndef QUARRY_SQLITE_FUNCTIONS_H
#define QUARRY_SQLITE_FUNCTIONS_H

// What Swift needs beside the header of SQLite, which is included before.

#include <pthread.h>
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

// 1 or 0, or -1 for an option that SQLite does not know.
static inline int quarry_db_config_get(sqlite3 *db, int operation) {
  int value = -1;
  sqlite3_db_config(db, operation, -1, &value);
  return value;
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

// Keys of encrypted databases: SQLCipher has them.

#pragma weak sqlite3_key_v2
#pragma weak sqlite3_rekey_v2

#if !defined(SQLITE_HAS_CODEC)
extern int sqlite3_key_v2(sqlite3 *db, const char *schema, const void *key, int count);
extern int sqlite3_rekey_v2(sqlite3 *db, const char *schema, const void *key, int count);
#endif

static inline int quarry_has_keys(void) { return sqlite3_key_v2 && sqlite3_rekey_v2; }

static inline int quarry_key(sqlite3 *db, const char *schema, const void *key, int count) {
  return sqlite3_key_v2(db, schema, key, count);
}

static inline int quarry_rekey(sqlite3 *db, const void *key, int count) {
  return sqlite3_rekey_v2(db, "main", key, count);
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

// Sessions: libraries without SQLITE_ENABLE_SESSION don't have them, and headers may not declare them.

typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;
typedef struct sqlite3_changegroup sqlite3_changegroup;
typedef struct sqlite3_rebaser sqlite3_rebaser;
typedef int (*quarry_table_filter)(void *context, const char *table);
typedef int (*quarry_conflict)(void *context, int kind, sqlite3_changeset_iter *change);
typedef int (*quarry_output)(void *context, const void *bytes, int count);
typedef int (*quarry_input)(void *context, void *bytes, int *count);

#pragma weak sqlite3session_create
#pragma weak sqlite3session_delete
#pragma weak sqlite3session_attach
#pragma weak sqlite3session_table_filter
#pragma weak sqlite3session_changeset
#pragma weak sqlite3session_patchset
#pragma weak sqlite3session_changeset_strm
#pragma weak sqlite3session_patchset_strm
#pragma weak sqlite3session_isempty
#pragma weak sqlite3changeset_apply_v2_strm
#pragma weak sqlite3changeset_op
#pragma weak sqlite3changeset_pk
#pragma weak sqlite3changeset_old
#pragma weak sqlite3changeset_new
#pragma weak sqlite3changeset_conflict
#pragma weak sqlite3changeset_fk_conflicts
#pragma weak sqlite3changeset_invert
#pragma weak sqlite3changegroup_new
#pragma weak sqlite3changegroup_add
#pragma weak sqlite3changegroup_output
#pragma weak sqlite3changegroup_delete
#pragma weak sqlite3rebaser_create
#pragma weak sqlite3rebaser_configure
#pragma weak sqlite3rebaser_rebase
#pragma weak sqlite3rebaser_delete

#if !defined(__SQLITESESSION_H_)
extern int sqlite3session_create(sqlite3 *db, const char *schema, sqlite3_session **session);
extern void sqlite3session_delete(sqlite3_session *session);
extern int sqlite3session_attach(sqlite3_session *session, const char *table);
extern void sqlite3session_table_filter(sqlite3_session *session, quarry_table_filter filter, void *context);
extern int sqlite3session_changeset(sqlite3_session *session, int *count, void **bytes);
extern int sqlite3session_patchset(sqlite3_session *session, int *count, void **bytes);
extern int sqlite3session_changeset_strm(sqlite3_session *session, quarry_output output, void *context);
extern int sqlite3session_patchset_strm(sqlite3_session *session, quarry_output output, void *context);
extern int sqlite3session_isempty(sqlite3_session *session);
extern int sqlite3changeset_apply_v2_strm(sqlite3 *db, quarry_input input, void *input_context, quarry_table_filter filter, quarry_conflict conflict, void *context, void **rebase, int *rebase_count, int flags);
extern int sqlite3changeset_op(sqlite3_changeset_iter *change, const char **table, int *columns, int *operation, int *indirect);
extern int sqlite3changeset_pk(sqlite3_changeset_iter *change, unsigned char **flags, int *columns);
extern int sqlite3changeset_old(sqlite3_changeset_iter *change, int column, sqlite3_value **value);
extern int sqlite3changeset_new(sqlite3_changeset_iter *change, int column, sqlite3_value **value);
extern int sqlite3changeset_conflict(sqlite3_changeset_iter *change, int column, sqlite3_value **value);
extern int sqlite3changeset_fk_conflicts(sqlite3_changeset_iter *change, int *count);
extern int sqlite3changeset_invert(int count, const void *bytes, int *inverted_count, void **inverted);
extern int sqlite3changegroup_new(sqlite3_changegroup **group);
extern int sqlite3changegroup_add(sqlite3_changegroup *group, int count, void *bytes);
extern int sqlite3changegroup_output(sqlite3_changegroup *group, int *count, void **bytes);
extern void sqlite3changegroup_delete(sqlite3_changegroup *group);
extern int sqlite3rebaser_create(sqlite3_rebaser **rebaser);
extern int sqlite3rebaser_configure(sqlite3_rebaser *rebaser, int count, const void *bytes);
extern int sqlite3rebaser_rebase(sqlite3_rebaser *rebaser, int count, const void *bytes, int *rebased_count, void **rebased);
extern void sqlite3rebaser_delete(sqlite3_rebaser *rebaser);
#endif

// The functions come together.
static inline int quarry_has_sessions(void) {
  return sqlite3session_create && sqlite3changeset_apply_v2_strm && sqlite3changegroup_new && sqlite3rebaser_create;
}

static inline int quarry_session_create(sqlite3 *db, const char *schema, sqlite3_session **session) {
  return sqlite3session_create(db, schema, session);
}

static inline void quarry_session_delete(sqlite3_session *session) {
  sqlite3session_delete(session);
}

static inline int quarry_session_attach(sqlite3_session *session, const char *table) {
  return sqlite3session_attach(session, table);
}

static inline void quarry_session_table_filter(sqlite3_session *session, quarry_table_filter filter, void *context) {
  sqlite3session_table_filter(session, filter, context);
}

static inline int quarry_session_changeset(sqlite3_session *session, int *count, void **bytes) {
  return sqlite3session_changeset(session, count, bytes);
}

static inline int quarry_session_patchset(sqlite3_session *session, int *count, void **bytes) {
  return sqlite3session_patchset(session, count, bytes);
}

static inline int quarry_session_changeset_stream(sqlite3_session *session, quarry_output output, void *context) {
  return sqlite3session_changeset_strm(session, output, context);
}

static inline int quarry_session_patchset_stream(sqlite3_session *session, quarry_output output, void *context) {
  return sqlite3session_patchset_strm(session, output, context);
}

static inline int quarry_session_isempty(sqlite3_session *session) {
  return sqlite3session_isempty(session);
}

static inline int quarry_changeset_apply(
  sqlite3 *db, quarry_input input, void *input_context, quarry_conflict conflict, void *context, void **rebase,
  int *rebase_count, int flags) {
  return sqlite3changeset_apply_v2_strm(
    db, input, input_context, 0, conflict, context, rebase, rebase_count, flags);
}

static inline int quarry_changeset_op(
  sqlite3_changeset_iter *change, const char **table, int *columns, int *operation, int *indirect) {
  return sqlite3changeset_op(change, table, columns, operation, indirect);
}

static inline int quarry_changeset_pk(sqlite3_changeset_iter *change, unsigned char **flags, int *columns) {
  return sqlite3changeset_pk(change, flags, columns);
}

static inline int quarry_changeset_old(sqlite3_changeset_iter *change, int column, sqlite3_value **value) {
  return sqlite3changeset_old(change, column, value);
}

static inline int quarry_changeset_new(sqlite3_changeset_iter *change, int column, sqlite3_value **value) {
  return sqlite3changeset_new(change, column, value);
}

static inline int quarry_changeset_conflict(sqlite3_changeset_iter *change, int column, sqlite3_value **value) {
  return sqlite3changeset_conflict(change, column, value);
}

static inline int quarry_changeset_fk_conflicts(sqlite3_changeset_iter *change, int *count) {
  return sqlite3changeset_fk_conflicts(change, count);
}

static inline int quarry_changeset_invert(int count, const void *bytes, int *inverted_count, void **inverted) {
  return sqlite3changeset_invert(count, bytes, inverted_count, inverted);
}

static inline int quarry_changegroup_new(sqlite3_changegroup **group) {
  return sqlite3changegroup_new(group);
}

static inline int quarry_changegroup_add(sqlite3_changegroup *group, int count, void *bytes) {
  return sqlite3changegroup_add(group, count, bytes);
}

static inline int quarry_changegroup_output(sqlite3_changegroup *group, int *count, void **bytes) {
  return sqlite3changegroup_output(group, count, bytes);
}

static inline void quarry_changegroup_delete(sqlite3_changegroup *group) {
  sqlite3changegroup_delete(group);
}

static inline int quarry_rebaser_create(sqlite3_rebaser **rebaser) {
  return sqlite3rebaser_create(rebaser);
}

static inline int quarry_rebaser_configure(sqlite3_rebaser *rebaser, int count, const void *bytes) {
  return sqlite3rebaser_configure(rebaser, count, bytes);
}

static inline int quarry_rebaser_rebase(
  sqlite3_rebaser *rebaser, int count, const void *bytes, int *rebased_count, void **rebased) {
  return sqlite3rebaser_rebase(rebaser, count, bytes, rebased_count, rebased);
}

static inline void quarry_rebaser_delete(sqlite3_rebaser *rebaser) {
  sqlite3rebaser_delete(rebaser);
}

// Overwrites bytes, also where the optimizer sees that nobody reads them.
static inline void quarry_wipe(void *bytes, size_t count) {
  volatile unsigned char *byte = (volatile unsigned char *)bytes;
  while (count-- > 0) *byte++ = 0;
}

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
