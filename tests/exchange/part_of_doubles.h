// What a rank puts in tests of the exchange: doubles of memory, as they are in the file. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codec/conversion.h"
#include "exchange/copies/flow.h"
#include "model/element_type.h"

namespace scorpio::test {

class PartOfDoubles {
 public:
  // `runs` are elements of the file and their places in `values`, which outlives this object.
  PartOfDoubles(const std::vector<decomp::Run>& runs, std::span<const double> values) : runs_(runs) {
    part_.element_bytes = sizeof(double);
    part_.runs = &runs_;
    part_.conversion = &same_;
    part_.from = std::as_bytes(values).data();
  }
  PartOfDoubles(const PartOfDoubles&) = delete;
  PartOfDoubles& operator=(const PartOfDoubles&) = delete;

  // For Flow::parts.
  std::span<const exchange::Part> parts() const { return {&part_, 1}; }

 private:
  decomp::RunList runs_;
  codec::Conversion same_ =
      codec::Conversion::make(model::native(model::Kind::float64), model::native(model::Kind::float64))
          .value();
  exchange::Part part_;
};

}  // namespace scorpio::test
