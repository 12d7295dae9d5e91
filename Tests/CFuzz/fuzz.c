#include "fuzz.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

static const uint8_t *current;
static size_t current_count;
static char path[1024];

static void write_input(int number) {
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  ssize_t count = file < 0 ? 0 : write(file, current, current_count);
  const char *text = number == SIGALRM ? "takes too long: " : "crash: ";
  count += write(2, text, strlen(text));
  count += write(2, path, strlen(path));
  count += write(2, "\n", 1);
  (void)count;
  signal(number, SIG_DFL);
  raise(number);
}

void quarry_fuzz_report_to(const char *name) {
  strncpy(path, name, sizeof path - 1);
  static const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    signal(numbers[index], write_input);
  }
}

void quarry_fuzz_begin(const uint8_t *bytes, size_t count) {
  current = bytes;
  current_count = count;
  alarm(20);
}

// The number of instructions that are left, in thousands.
static __thread int rest;

static int stops(void *context) {
  (void)context;
  return --rest < 0;
}

void quarry_fuzz_limit(void *connection, int instruction_count) {
  rest = instruction_count / 1000;
  sqlite3_hard_heap_limit64(256 << 20);
  sqlite3_progress_handler(connection, 1000, stops, NULL);
  // No other file is opened, whatever its name.
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1000000);
}
