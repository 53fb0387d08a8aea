// The stores that pass the conformance tests.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "storage/store.h"

namespace scorpio::storage::test {

struct Kind {
  const char* name;
  bool remembers;
  std::function<std::unique_ptr<Store>()> make;
};

const std::vector<Kind>& store_kinds();

}  // namespace scorpio::storage::test
