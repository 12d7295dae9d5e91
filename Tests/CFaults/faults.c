#include "faults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Counters by the types of files: SQLITE_OPEN_MAIN_DB (0x100) to SQLITE_OPEN_WAL (0x80000).
enum { TYPE_COUNT = 12, FIRST_TYPE_BIT = 8 };

struct quarry_faults {
  sqlite3_vfs base;
  sqlite3_vfs *real;
  pthread_mutex_t mutex;
  quarry_fault fault;
  int64_t matching_count;
  int64_t counts[QUARRY_OPERATION_COUNT][TYPE_COUNT + 1];
  int struck_count;
  int open_file_count;
  int is_recording;
  int is_patient;
  int event_count;
  int event_capacity;
  quarry_event *events;
};

typedef struct quarry_file {
  sqlite3_file base;
  quarry_faults *faults;
  int type;
  // NULL for a temporary file, which no power cut matters to.
  const char *name;
  // Whether the folder has not been synced since the file was created.
  int is_new;
  // Followed by the file of the system.
  sqlite3_file *real;
} quarry_file;

// Files are open while no fault is set, and during recording.

static const char *last_component(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static int type_index(int type) {
  for (int index = 0; index < TYPE_COUNT; index++) {
    if (type & (1 << (FIRST_TYPE_BIT + index))) return index;
  }
  return TYPE_COUNT;
}

// Counts a call. Returns the code that it fails with, or SQLITE_OK.
static int strike(quarry_faults *faults, quarry_operation operation, int type, int *is_half) {
  pthread_mutex_lock(&faults->mutex);
  faults->counts[operation][type_index(type)]++;
  quarry_fault *fault = &faults->fault;
  int code = SQLITE_OK;
  if (fault->call > 0 && fault->operation == operation
      && (fault->file_types == 0 || (fault->file_types & type))) {
    faults->matching_count++;
    if (faults->matching_count == fault->call
        || (fault->is_lasting && faults->matching_count > fault->call)) {
      faults->struck_count++;
      code = fault->code;
      if (is_half) *is_half = fault->is_half;
    }
  }
  pthread_mutex_unlock(&faults->mutex);
  return code;
}

// Events.

static void forget_events(quarry_faults *faults) {
  for (int index = 0; index < faults->event_count; index++) {
    free((void *)faults->events[index].name);
    free((void *)faults->events[index].bytes);
  }
  faults->event_count = 0;
}

static void record(quarry_faults *faults, quarry_event event) {
  pthread_mutex_lock(&faults->mutex);
  if (faults->is_recording && event.name) {
    if (faults->event_count == faults->event_capacity) {
      faults->event_capacity = 2 * faults->event_capacity + 64;
      faults->events = realloc(faults->events, sizeof(quarry_event) * faults->event_capacity);
    }
    event.name = strdup(event.name);
    if (event.bytes) event.bytes = memcpy(malloc(event.byte_count), event.bytes, event.byte_count);
    faults->events[faults->event_count++] = event;
  }
  pthread_mutex_unlock(&faults->mutex);
}

// Files.

static quarry_file *own(sqlite3_file *file) { return (quarry_file *)file; }

static int file_close(sqlite3_file *file) {
  quarry_faults *faults = own(file)->faults;
  int code = own(file)->real->pMethods->xClose(own(file)->real);
  pthread_mutex_lock(&faults->mutex);
  faults->open_file_count--;
  pthread_mutex_unlock(&faults->mutex);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  quarry_file *f = own(file);
  int is_half = 0;
  int code = strike(f->faults, QUARRY_READ, f->type, &is_half);
  if (code != SQLITE_OK && !is_half) return code;
  if (code == SQLITE_OK) return f->real->pMethods->xRead(f->real, bytes, count, offset);
  // SQLite asks for zeros where a file ends early.
  memset(bytes, 0, count);
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  quarry_file *f = own(file);
  int is_half = 0;
  int code = strike(f->faults, QUARRY_WRITE, f->type, &is_half);
  if (code != SQLITE_OK) {
    if (is_half) f->real->pMethods->xWrite(f->real, bytes, count / 2, offset);
    return code;
  }
  code = f->real->pMethods->xWrite(f->real, bytes, count, offset);
  quarry_event event = {QUARRY_WRITE, f->name, offset, bytes, count, 0};
  if (code == SQLITE_OK) record(f->faults, event);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_TRUNCATE, f->type, NULL);
  if (code != SQLITE_OK) return code;
  code = f->real->pMethods->xTruncate(f->real, size);
  quarry_event event = {QUARRY_TRUNCATE, f->name, size, NULL, 0, 0};
  if (code == SQLITE_OK) record(f->faults, event);
  return code;
}

// The disk of the system is not waited for: no real power cut is meant.
static int file_sync(sqlite3_file *file, int flags) {
  quarry_file *f = own(file);
  (void)flags;
  int code = strike(f->faults, QUARRY_SYNC, f->type, NULL);
  if (code != SQLITE_OK) return code;
  quarry_event event = {QUARRY_SYNC, f->name, 0, NULL, 0, f->is_new};
  f->is_new = 0;
  record(f->faults, event);
  return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_FILE_SIZE, f->type, NULL);
  return code != SQLITE_OK ? code : f->real->pMethods->xFileSize(f->real, size);
}

static int file_lock(sqlite3_file *file, int lock) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_LOCK, f->type, NULL);
  return code != SQLITE_OK ? code : f->real->pMethods->xLock(f->real, lock);
}

// The lock is released all the same: SQLite has no other way to release it.
static int file_unlock(sqlite3_file *file, int lock) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_UNLOCK, f->type, NULL);
  int real_code = f->real->pMethods->xUnlock(f->real, lock);
  return code != SQLITE_OK ? code : real_code;
}

static int file_check_lock(sqlite3_file *file, int *result) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_CHECK_LOCK, f->type, NULL);
  return code != SQLITE_OK ? code : f->real->pMethods->xCheckReservedLock(f->real, result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  quarry_file *f = own(file);
  return f->real->pMethods->xFileControl(f->real, operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return own(file)->real->pMethods->xSectorSize(own(file)->real);
}

static int file_characteristics(sqlite3_file *file) {
  return own(file)->real->pMethods->xDeviceCharacteristics(own(file)->real);
}

static int file_shm_map(
  sqlite3_file *file, int region, int size, int extends, void volatile **memory
) {
  quarry_file *f = own(file);
  int code = strike(f->faults, QUARRY_SHARED_MAP, f->type, NULL);
  if (code == SQLITE_OK) {
    return f->real->pMethods->xShmMap(f->real, region, size, extends, memory);
  }
  *memory = NULL;
  return code;
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  quarry_file *f = own(file);
  // SQLite does not look at the result of a release.
  int code = (flags & SQLITE_SHM_LOCK)
    ? strike(f->faults, QUARRY_SHARED_LOCK, f->type, NULL) : SQLITE_OK;
  return code != SQLITE_OK ? code : f->real->pMethods->xShmLock(f->real, offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  own(file)->real->pMethods->xShmBarrier(own(file)->real);
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return own(file)->real->pMethods->xShmUnmap(own(file)->real, deletes);
}

static const sqlite3_io_methods methods = {
  2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,
  file_check_lock, file_control, file_sector_size, file_characteristics, file_shm_map,
  file_shm_lock, file_shm_barrier, file_shm_unmap, NULL, NULL,
};

// The file system.

static quarry_faults *system_of(sqlite3_vfs *vfs) { return (quarry_faults *)vfs; }

static int system_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *result_flags
) {
  quarry_faults *faults = system_of(vfs);
  quarry_file *f = own(file);
  f->base.pMethods = NULL;
  int code = strike(faults, QUARRY_OPEN, flags, NULL);
  if (code != SQLITE_OK) return code;
  f->faults = faults;
  f->type = flags & 0xFFF00;
  f->name = last_component(path);
  int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
  // The system's file system syncs the folders of these files with their first sync.
  f->is_new = (flags & SQLITE_OPEN_CREATE) && (flags & journals);
  f->real = (sqlite3_file *)(f + 1);
  code = faults->real->xOpen(faults->real, path, f->real, flags, result_flags);
  if (code != SQLITE_OK) return code;
  f->base.pMethods = &methods;
  pthread_mutex_lock(&faults->mutex);
  faults->open_file_count++;
  pthread_mutex_unlock(&faults->mutex);
  if (flags & SQLITE_OPEN_CREATE) {
    quarry_event event = {QUARRY_OPEN, f->name, 0, NULL, 0, 0};
    record(faults, event);
  }
  return SQLITE_OK;
}

static int system_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  quarry_faults *faults = system_of(vfs);
  int code = strike(faults, QUARRY_DELETE, 0, NULL);
  if (code != SQLITE_OK) return code;
  code = faults->real->xDelete(faults->real, path, 0);
  quarry_event event = {QUARRY_DELETE, last_component(path), 0, NULL, 0, syncs_folder};
  if (code == SQLITE_OK) record(faults, event);
  return code;
}

static int system_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  int code = strike(system_of(vfs), QUARRY_ACCESS, 0, NULL);
  sqlite3_vfs *real = system_of(vfs)->real;
  return code != SQLITE_OK ? code : real->xAccess(real, path, flags, result);
}

static int system_full_path(sqlite3_vfs *vfs, const char *path, int size, char *result) {
  int code = strike(system_of(vfs), QUARRY_FULL_PATH, 0, NULL);
  sqlite3_vfs *real = system_of(vfs)->real;
  return code != SQLITE_OK ? code : real->xFullPathname(real, path, size, result);
}

static int system_randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  sqlite3_vfs *real = system_of(vfs)->real;
  return real->xRandomness(real, size, bytes);
}

// SQLite sleeps between its attempts to take a lock: here, briefly, where no other process has one.
static int system_sleep(sqlite3_vfs *vfs, int microseconds) {
  sqlite3_vfs *real = system_of(vfs)->real;
  int limit = system_of(vfs)->is_patient ? microseconds : 50;
  return real->xSleep(real, microseconds < limit ? microseconds : limit);
}

static int system_time(sqlite3_vfs *vfs, double *time) {
  sqlite3_vfs *real = system_of(vfs)->real;
  return real->xCurrentTime(real, time);
}

static int system_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  sqlite3_vfs *real = system_of(vfs)->real;
  return real->xCurrentTimeInt64(real, time);
}

static int system_last_error(sqlite3_vfs *vfs, int size, char *text) {
  sqlite3_vfs *real = system_of(vfs)->real;
  return real->xGetLastError ? real->xGetLastError(real, size, text) : 0;
}

quarry_faults *quarry_faults_register(const char *name, int is_patient) {
  sqlite3_vfs *real = sqlite3_vfs_find(NULL);
  quarry_faults *faults = calloc(1, sizeof(quarry_faults));
  if (!real || !faults) return NULL;
  faults->real = real;
  faults->is_patient = is_patient;
  pthread_mutex_init(&faults->mutex, NULL);
  sqlite3_vfs *base = &faults->base;
  base->iVersion = 2;
  base->szOsFile = (int)sizeof(quarry_file) + real->szOsFile;
  base->mxPathname = real->mxPathname;
  base->zName = strdup(name);
  base->xOpen = system_open;
  base->xDelete = system_delete;
  base->xAccess = system_access;
  base->xFullPathname = system_full_path;
  base->xRandomness = system_randomness;
  base->xSleep = system_sleep;
  base->xCurrentTime = system_time;
  base->xCurrentTimeInt64 = system_time64;
  base->xGetLastError = system_last_error;
  if (sqlite3_vfs_register(base, 0) == SQLITE_OK) return faults;
  free((void *)base->zName);
  free(faults);
  return NULL;
}

void quarry_faults_unregister(quarry_faults *faults) {
  sqlite3_vfs_unregister(&faults->base);
  forget_events(faults);
  free(faults->events);
  pthread_mutex_destroy(&faults->mutex);
  free((void *)faults->base.zName);
  free(faults);
}

void quarry_faults_arm(quarry_faults *faults, const quarry_fault *fault) {
  static const quarry_fault none;
  pthread_mutex_lock(&faults->mutex);
  faults->fault = fault ? *fault : none;
  faults->matching_count = 0;
  faults->struck_count = 0;
  memset(faults->counts, 0, sizeof faults->counts);
  pthread_mutex_unlock(&faults->mutex);
}

int quarry_faults_struck(quarry_faults *faults) {
  pthread_mutex_lock(&faults->mutex);
  int count = faults->struck_count;
  pthread_mutex_unlock(&faults->mutex);
  return count;
}

int64_t quarry_faults_call_count(quarry_faults *faults, quarry_operation operation, int file_types) {
  int64_t count = 0;
  pthread_mutex_lock(&faults->mutex);
  for (int index = 0; index <= TYPE_COUNT; index++) {
    int is_counted = file_types == 0
      || (index < TYPE_COUNT && (file_types & (1 << (FIRST_TYPE_BIT + index))));
    if (is_counted) count += faults->counts[operation][index];
  }
  pthread_mutex_unlock(&faults->mutex);
  return count;
}

int quarry_faults_open_file_count(quarry_faults *faults) {
  pthread_mutex_lock(&faults->mutex);
  int count = faults->open_file_count;
  pthread_mutex_unlock(&faults->mutex);
  return count;
}

void quarry_faults_record(quarry_faults *faults) {
  pthread_mutex_lock(&faults->mutex);
  forget_events(faults);
  faults->is_recording = 1;
  pthread_mutex_unlock(&faults->mutex);
}

int quarry_faults_event_count(quarry_faults *faults) {
  pthread_mutex_lock(&faults->mutex);
  int count = faults->event_count;
  pthread_mutex_unlock(&faults->mutex);
  return count;
}

quarry_event quarry_faults_event(quarry_faults *faults, int index) {
  pthread_mutex_lock(&faults->mutex);
  quarry_event event = faults->events[index];
  pthread_mutex_unlock(&faults->mutex);
  return event;
}
