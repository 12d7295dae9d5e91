let recorder = MetricsRecorder()
