#define SQLITE_HAS_CODEC
#include <sqlcipher/sqlite3.h>

#include "../CSystemSQLite/functions.h"
