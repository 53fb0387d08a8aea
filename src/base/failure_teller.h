// What becomes of failures that a public call returns, beside their codes and texts. Any thread.
#pragma once

#include "base/status.h"

namespace scorpio {

class FailureTeller {
 public:
  virtual ~FailureTeller() = default;
  // `failure` has a complete text; `meaning`: what its code stands for.
  virtual void tell(const Status& failure, const char* meaning) noexcept = 0;

 protected:
  FailureTeller() = default;
  FailureTeller(const FailureTeller&) = default;
  FailureTeller& operator=(const FailureTeller&) = default;
};

}  // namespace scorpio
