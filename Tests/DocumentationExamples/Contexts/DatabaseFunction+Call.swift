let reverse = DatabaseFunction("reverse", argumentCount: 1, pure: true) { $0[0] }
