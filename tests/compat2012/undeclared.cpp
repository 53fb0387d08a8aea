// The client of undeclared.h in C++.
#include "undeclared.h"
