let recorder = MetricsRecorder()
func importBooks(_ database: DatabasePool) throws {}
