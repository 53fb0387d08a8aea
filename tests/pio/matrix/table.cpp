#include "table.h"

namespace scorpio::pio_test::matrix {

Function& Table::add_row(Kind kind, const std::string& name, std::vector<AnyArgument> arguments, Call call) {
  Function row;
  row.name = name;
  row.kind = kind;
  for (const AnyArgument& one : arguments)
    row.mistakes.insert(row.mistakes.end(), one.mistakes.begin(), one.mistakes.end());
  row.call = [arguments = std::move(arguments), call = std::move(call)](Stage& stage, int mistake) {
    std::vector<Word> values;
    int first = 0;  // of the mistakes of the next argument
    for (const AnyArgument& one : arguments) {
      const int at = mistake - first, ways = static_cast<int>(one.mistakes.size());
      const bool is_this = mistake != k_no_mistake && at >= 0 && at < ways;
      values.push_back(one.value(stage, is_this ? at : k_no_mistake));
      first += ways;
    }
    return call(values.data());
  };
  functions_.push_back(std::move(row));
  return functions_.back();
}

}  // namespace scorpio::pio_test::matrix
