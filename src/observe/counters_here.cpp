#include "observe/counters_here.h"

#include <utility>

namespace scorpio::observe {

namespace {

thread_local Counters* t_counters = nullptr;

}  // namespace

CountHere::CountHere(Counters& counters) : before_(std::exchange(t_counters, &counters)) {}

CountHere::~CountHere() { t_counters = before_; }

Counters& counters_here(Counters& usual) { return t_counters == nullptr ? usual : *t_counters; }

}  // namespace scorpio::observe
