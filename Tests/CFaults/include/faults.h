#ifndef QUARRY_FAULTS_H
#define QUARRY_FAULTS_H

#include <stdint.h>

// A virtual file system over the one of the system, which counts its calls, lets one of them fail,
// and records what a power cut can lose. See <https://www.sqlite.org/vfs.html>.

typedef enum quarry_operation {
  QUARRY_OPEN,
  QUARRY_DELETE,
  QUARRY_ACCESS,
  QUARRY_FULL_PATH,
  QUARRY_READ,
  QUARRY_WRITE,
  QUARRY_TRUNCATE,
  QUARRY_SYNC,
  QUARRY_FILE_SIZE,
  QUARRY_LOCK,
  QUARRY_UNLOCK,
  QUARRY_CHECK_LOCK,
  QUARRY_SHARED_MAP,
  QUARRY_SHARED_LOCK,
  QUARRY_OPERATION_COUNT,
} quarry_operation;

typedef struct quarry_fault {
  quarry_operation operation;
  int code;
  // The fault strikes the call of this number, which begins with 1.
  int64_t call;
  // Whether all later calls fail as well.
  int is_lasting;
  // Whether half of a write is done; whether zeros are read.
  int is_half;
  // The types of the files, as SQLITE_OPEN_MAIN_DB: 0 for all.
  int file_types;
} quarry_fault;

typedef struct quarry_faults quarry_faults;

// Registers a file system under a name that no other one has. Nil when memory is short. A patient
// one sleeps as long as SQLite asks for: other processes have locks.
quarry_faults *quarry_faults_register(const char *name, int is_patient);
// No connection may use it any more.
void quarry_faults_unregister(quarry_faults *faults);

// Counts from zero again, and sets the fault. NULL for none.
void quarry_faults_arm(quarry_faults *faults, const quarry_fault *fault);
// The number of calls that have failed since then.
int quarry_faults_struck(quarry_faults *faults);
int64_t quarry_faults_call_count(quarry_faults *faults, quarry_operation operation, int file_types);
int quarry_faults_open_file_count(quarry_faults *faults);

// What happened to a file, as far as a power cut matters.
typedef struct quarry_event {
  quarry_operation operation;
  // The file: its path without folder.
  const char *name;
  // Of a write; the new size, of a truncation.
  int64_t offset;
  const void *bytes;
  int byte_count;
  // Whether a sync or a deletion also syncs the folder.
  int syncs_folder;
} quarry_event;

// Records the events from now on. They are valid until the next call.
void quarry_faults_record(quarry_faults *faults);
int quarry_faults_event_count(quarry_faults *faults);
quarry_event quarry_faults_event(quarry_faults *faults, int index);

// The memory allocator of SQLite, over the one of the system. It must be installed before SQLite is
// used.
int quarry_memory_install(void);
// The allocation of this number fails, and all later ones where the failure is lasting. 0 for none.
// Counts from zero again.
void quarry_memory_arm(int64_t call, int is_lasting);
int64_t quarry_memory_call_count(void);
int quarry_memory_struck(void);
// The number of allocations that are alive.
int64_t quarry_memory_live_count(void);

// What the process does, which is written to the standard error when it crashes.
void quarry_crash_note(const char *what);
void quarry_crash_report(void);

#endif
