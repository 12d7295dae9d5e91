let directory = try DatabaseDirectory(path: "/data/tenants") { _, path in
  try DatabasePool(path: path)
}
let isCancelled = false
