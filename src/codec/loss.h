// The largest difference between elements and what rounding or a lossy filter makes of them. Local; pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace scorpio::codec {

struct Loss {
  double absolute = 0;  // in the unit of the elements
  double relative = 0;  // to the magnitude of the element; 0 if it is not measured

  void raise(const Loss& other) {
    absolute = std::max(absolute, other.absolute);
    relative = std::max(relative, other.relative);
  }
  friend bool operator==(const Loss&, const Loss&) = default;
};

// |a - b|, or the next larger number if the difference needs more digits: never less than the true one.
inline double distance(double a, double b) {
  const double difference = a - b;
  // The error of the subtraction, which is itself exact (Knuth's two-sum).
  const double part = a - difference;
  const double rest = (a - (difference + part)) + (part - b);
  const double magnitude = std::abs(difference);
  return rest == 0 ? magnitude : std::nextafter(magnitude, std::numeric_limits<double>::infinity());
}

}  // namespace scorpio::codec
