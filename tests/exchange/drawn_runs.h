// How a test of drawn interleavings goes through its seeds. SCORPIO_DRAWS says how many draws each test makes
// at least, SCORPIO_FIRST_SEED with which seed it begins, SCORPIO_SEED repeats one run.
#pragma once

#include <cstdint>
#include <functional>

namespace scorpio::test {

// Calls run(seed), which returns how many accesses were drawn, for one seed after the other, until there were
// enough draws or the test has failed; a failure names the seed. False: one seed was repeated, or the test
// has failed.
bool run_drawn(const std::function<uint64_t(uint64_t seed)>& run);

}  // namespace scorpio::test
