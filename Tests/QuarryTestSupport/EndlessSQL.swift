/// Runs for very long, unless it is interrupted.
public let endlessSQL = """
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000000) \
  SELECT COUNT(*) FROM n
  """
