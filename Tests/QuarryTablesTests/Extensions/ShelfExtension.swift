import Foundation
import QuarryTestSupport

/// An extension in C, which is compiled by the tests: a distance of vectors, whose components are
/// 32-bit numbers in a blob, and the table of the components of one.
final class ShelfExtension: Sendable {
  /// The directory of the library, which is removed with the object.
  let directory: TemporaryDirectory
  let library: String

  /// Compiles the extension.
  init() throws {
    directory = try TemporaryDirectory()
    library = directory.path + "/shelf.so"
    let source = directory.path + "/shelf.c"
    try Self.code.write(toFile: source, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["cc", "-shared", "-fPIC", "-o", library, source, "-lm"]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  deinit { directory.remove() }

  private static let code = """
    #include <sqlite3ext.h>
    SQLITE_EXTENSION_INIT1
    #include <math.h>
    #include <string.h>

    static void distance(sqlite3_context *context, int count, sqlite3_value **values) {
      int size = sqlite3_value_bytes(values[0]);
      if (size != sqlite3_value_bytes(values[1])) {
        sqlite3_result_error(context, "vector_distance: the vectors have different lengths", -1);
        return;
      }
      const float *a = sqlite3_value_blob(values[0]), *b = sqlite3_value_blob(values[1]);
      double sum = 0;
      for (int i = 0; i < size / 4; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
      sqlite3_result_double(context, sqrt(sum));
    }

    typedef struct { sqlite3_vtab_cursor base; float numbers[64]; int count, index; } components;

    static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **table, char **error) {
      int code = sqlite3_declare_vtab(db, "CREATE TABLE x(position INTEGER, value REAL, vector BLOB HIDDEN)");
      if (code != SQLITE_OK) return code;
      *table = sqlite3_malloc(sizeof(sqlite3_vtab));
      memset(*table, 0, sizeof(sqlite3_vtab));
      return SQLITE_OK;
    }
    static int disconnect(sqlite3_vtab *table) { sqlite3_free(table); return SQLITE_OK; }
    static int best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
      for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn != 2 || !info->aConstraint[i].usable) continue;
        if (info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        return SQLITE_OK;
      }
      return SQLITE_CONSTRAINT;
    }
    static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
      *cursor = sqlite3_malloc(sizeof(components));
      memset(*cursor, 0, sizeof(components));
      return SQLITE_OK;
    }
    static int close_cursor(sqlite3_vtab_cursor *cursor) { sqlite3_free(cursor); return SQLITE_OK; }
    static int filter(sqlite3_vtab_cursor *cursor, int number, const char *name, int argc, sqlite3_value **argv) {
      components *c = (components *)cursor;
      int size = sqlite3_value_bytes(argv[0]);
      if (size > (int)sizeof c->numbers) size = sizeof c->numbers;
      if (size > 0) memcpy(c->numbers, sqlite3_value_blob(argv[0]), size);
      c->count = size / 4;
      c->index = 0;
      return SQLITE_OK;
    }
    static int next(sqlite3_vtab_cursor *cursor) { ((components *)cursor)->index++; return SQLITE_OK; }
    static int eof(sqlite3_vtab_cursor *cursor) {
      return ((components *)cursor)->index >= ((components *)cursor)->count;
    }
    static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
      components *c = (components *)cursor;
      if (column == 0) sqlite3_result_int(context, c->index);
      if (column == 1) sqlite3_result_double(context, c->numbers[c->index]);
      return SQLITE_OK;
    }
    static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id) {
      *id = ((components *)cursor)->index;
      return SQLITE_OK;
    }

    static sqlite3_module module = {
      .xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect, .xOpen = open_cursor,
      .xClose = close_cursor, .xFilter = filter, .xNext = next, .xEof = eof, .xColumn = column, .xRowid = rowid };

    int sqlite3_shelf_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
      SQLITE_EXTENSION_INIT2(api);
      int code = sqlite3_create_function_v2(
        db, "vector_distance", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, distance, 0, 0, 0);
      return code != SQLITE_OK ? code : sqlite3_create_module_v2(db, "vector_components", &module, 0, 0);
    }

    int shelf_refuses(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
      SQLITE_EXTENSION_INIT2(api);
      *message = sqlite3_mprintf("the shelf is full");
      return SQLITE_ERROR;
    }
    """
}
