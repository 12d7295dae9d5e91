#include "faults.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static char text[512];

void quarry_crash_note(const char *what) { strncpy(text, what, sizeof text - 1); }

static void write_text(int number) {
  ssize_t count = write(2, "crash: ", 7);
  count += write(2, text, strlen(text));
  count += write(2, "\n", 1);
  (void)count;
  signal(number, SIG_DFL);
  raise(number);
}

void quarry_crash_report(void) {
  signal(SIGILL, write_text);
  signal(SIGTRAP, write_text);
  signal(SIGSEGV, write_text);
  signal(SIGABRT, write_text);
}
