let error = DatabaseError()
