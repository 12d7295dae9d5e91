enum AppError: Error {
  case databaseIsTooRecent
}
