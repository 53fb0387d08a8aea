// The words of a reduction. Local.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scorpio {

// As many as most reductions have lie here, so that a rank takes part in them without allocating memory.
class Words {
 public:
  explicit Words(size_t number)
      : more_(number > few_.size() ? number : 0), all_(more_.empty() ? few_.data() : more_.data(), number) {}
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  std::span<uint64_t> all() const { return all_; }

 private:
  std::array<uint64_t, 48> few_{};
  std::vector<uint64_t> more_;
  std::span<uint64_t> all_;
};

}  // namespace scorpio
