// A guard of connections, for LD_PRELOAD: two threads inside the same connection at once, and an
// interruption of a connection that is closed, end the process with a message. Connections are
// opened without the mutexes of SQLite, so that nothing else would notice. See Scripts/torture.
//
// `QUARRY_GUARD_SLEEP` is a number of microseconds that calls take longer, so that they meet.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIMIT = 1024 };
static struct use {
  sqlite3 *connection;
  pthread_t thread;
  const char *name;
  int depth;
} uses[LIMIT];
// The first ones: those of calls that have not returned.
static int use_count;
static sqlite3 *closed[LIMIT];
static int closed_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *text, const char *first, const char *second) {
  fprintf(stderr, "guard: %s: %s, %s\n", text, first, second);
  abort();
}

static void linger(void) {
  static int duration = -1;
  if (duration < 0) {
    const char *text = getenv("QUARRY_GUARD_SLEEP");
    duration = text ? atoi(text) : 0;
  }
  if (duration > 0) usleep((useconds_t)duration);
}

static void enter(sqlite3 *connection, const char *name) {
  if (!connection) return;
  pthread_mutex_lock(&mutex);
  struct use *own = NULL;
  for (int index = 0; index < use_count && !own; index++) {
    if (uses[index].connection == connection) own = &uses[index];
  }
  if (own && !pthread_equal(own->thread, pthread_self())) {
    fail("two threads inside a connection", own->name, name);
  }
  if (own) own->depth++;
  else if (use_count < LIMIT) {
    uses[use_count++] = (struct use){connection, pthread_self(), name, 1};
  } else fail("too many connections", name, "");
  pthread_mutex_unlock(&mutex);
  if (!own) linger();
}

static void leave(sqlite3 *connection) {
  if (!connection) return;
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < use_count; index++) {
    if (uses[index].connection != connection) continue;
    if (--uses[index].depth == 0) uses[index] = uses[--use_count];
    break;
  }
  pthread_mutex_unlock(&mutex);
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

#define OF_STATEMENT(type, name) \
  type name(sqlite3_stmt *statement) { \
    NEXT(name); \
    sqlite3 *connection = statement ? sqlite3_db_handle(statement) : NULL; \
    enter(connection, #name); \
    type result = next(statement); \
    leave(connection); \
    return result; \
  }

#define OF_COLUMN(type, name) \
  type name(sqlite3_stmt *statement, int index) { \
    NEXT(name); \
    sqlite3 *connection = statement ? sqlite3_db_handle(statement) : NULL; \
    enter(connection, #name); \
    type result = next(statement, index); \
    leave(connection); \
    return result; \
  }

OF_STATEMENT(int, sqlite3_step)
OF_STATEMENT(int, sqlite3_reset)
OF_STATEMENT(int, sqlite3_finalize)
OF_STATEMENT(int, sqlite3_clear_bindings)
OF_COLUMN(const unsigned char *, sqlite3_column_text)
OF_COLUMN(const void *, sqlite3_column_blob)
OF_COLUMN(sqlite3_int64, sqlite3_column_int64)
OF_COLUMN(double, sqlite3_column_double)
OF_COLUMN(int, sqlite3_column_type)
OF_COLUMN(int, sqlite3_column_bytes)

int sqlite3_prepare_v3(
  sqlite3 *connection, const char *sql, int count, unsigned flags, sqlite3_stmt **statement,
  const char **tail
) {
  NEXT(sqlite3_prepare_v3);
  enter(connection, "sqlite3_prepare_v3");
  int code = next(connection, sql, count, flags, statement, tail);
  leave(connection);
  return code;
}

static int close_with(sqlite3 *connection, int (*next)(sqlite3 *)) {
  enter(connection, "sqlite3_close");
  // As soon as it is closed, another thread may have the same address.
  pthread_mutex_lock(&mutex);
  if (connection) closed[closed_count++ % LIMIT] = connection;
  pthread_mutex_unlock(&mutex);
  int code = next(connection);
  leave(connection);
  if (code != SQLITE_OK) {
    pthread_mutex_lock(&mutex);
    for (int index = 0; index < LIMIT; index++) {
      if (closed[index] == connection) closed[index] = NULL;
    }
    pthread_mutex_unlock(&mutex);
  }
  return code;
}

int sqlite3_close(sqlite3 *connection) {
  NEXT(sqlite3_close);
  return close_with(connection, next);
}

int sqlite3_close_v2(sqlite3 *connection) {
  NEXT(sqlite3_close_v2);
  return close_with(connection, next);
}

int sqlite3_open_v2(const char *path, sqlite3 **connection, int flags, const char *system) {
  NEXT(sqlite3_open_v2);
  int code = next(path, connection, flags, system);
  pthread_mutex_lock(&mutex);
  for (int index = 0; index < LIMIT; index++) {
    if (closed[index] == *connection) closed[index] = NULL;
  }
  pthread_mutex_unlock(&mutex);
  return code;
}

void sqlite3_interrupt(sqlite3 *connection) {
  NEXT(sqlite3_interrupt);
  pthread_mutex_lock(&mutex);
  for (int index = 0; connection && index < LIMIT; index++) {
    if (closed[index] == connection) fail("a closed connection is interrupted", "", "");
  }
  pthread_mutex_unlock(&mutex);
  next(connection);
}
