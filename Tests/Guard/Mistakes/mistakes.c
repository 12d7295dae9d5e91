// Mistakes that the guards must end the process for, by the name in the first argument: a guard
// that finds nothing has to be one that works. See Scripts/torture.

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *connection;

static void *work(void *context) {
  for (int count = 0; count < 2000; count++) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(connection, "SELECT 1", -1, 0, &statement, NULL) != SQLITE_OK) continue;
    sqlite3_step(statement);
    sqlite3_finalize(statement);
  }
  return context;
}

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "";
  volatile char *bytes = malloc(10);
  if (!strcmp(name, "beyond")) {
    bytes[10] = 1;
    free((void *)bytes);
  } else if (!strcmp(name, "twice")) {
    free((void *)bytes);
    free((void *)bytes);
  } else if (!strcmp(name, "after")) {
    free((void *)bytes);
    bytes[3] = 1;
    for (int number = 0; number < 300000; number++) free(malloc(100));
  } else {
    // With the mutexes of SQLite, so that the mistake alone ends the process.
    sqlite3_open_v2(
      ":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL);
    if (!strcmp(name, "threads")) {
      pthread_t thread;
      pthread_create(&thread, NULL, work, NULL);
      work(NULL);
      pthread_join(thread, NULL);
    } else {
      work(NULL);
    }
    sqlite3_close(connection);
    if (!strcmp(name, "interrupt")) sqlite3_interrupt(connection);
  }
  return 0;
}
