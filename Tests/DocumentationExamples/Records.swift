// Types that the examples of documentation comments use.

import Foundation
import Quarry
