// Filters of variables by their names: the text of the option `filters`, as
// "T*=lossy:10,time=none,*=shuffle+deflate:4". Local; pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/filters.h"
#include "codec/quantization.h"
#include "model/variable.h"

namespace scorpio::format {

// What a rule asks for.
struct FilterRecipe {
  std::vector<codec::Filter> filters{};
  codec::QuantizationMode mode = codec::QuantizationMode::none;
  int digits = 0;
  double bound = 0;  // of zfp in mode accuracy, whose tolerance is a power of two; 0: none

  bool empty() const { return filters.empty() && mode == codec::QuantizationMode::none; }
  friend bool operator==(const FilterRecipe&, const FilterRecipe&) = default;
};

// Without what the variable cannot have: integers are not rounded, and lossy filters are for floating-point
// numbers alone.
FilterRecipe possible_part(const FilterRecipe& recipe, const model::Variable& variable);
// Without rounding and lossy filters; zfp in its reversible mode is none.
FilterRecipe lossless_part(const FilterRecipe& recipe);
FilterRecipe without_zfp(const FilterRecipe& recipe);

class FilterRules {
 public:
  // Code::argument for what is no rule, and for a number that a filter or a rounding of no type takes.
  static Result<FilterRules> parse(std::string_view text);
  // Code::unsupported if a filter of the rules is not built in.
  Status check_built_in() const;

  bool empty() const { return rules_.empty(); }
  // Of the first rule that fits the last part of the variable's path. `by_name`: its pattern is that name
  // itself.
  struct Found {
    const FilterRecipe* recipe;
    bool by_name;
  };
  std::optional<Found> find(const std::string& name) const;

 private:
  struct Rule {
    std::string pattern;
    FilterRecipe recipe;
  };

  std::vector<Rule> rules_;
};

}  // namespace scorpio::format
