let titleOfOne = DatabaseRegion()
let yearOfTwo = DatabaseRegion()
