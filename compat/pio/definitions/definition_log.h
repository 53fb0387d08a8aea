// The definitions that this rank has made in a file, by how far the ranks have agreed on them: what they
// compare, what the I/O root sends if they differ, and what a rank returns to. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pio/definitions/definition.h"

namespace scorpio_pio {

class DefinitionLog {
 public:
  // ---- those since the last agreement ----
  void add(Definition definition);
  bool empty() const { return fresh_.empty(); }
  // A hash of them; equal on ranks that made the same ones.
  uint64_t print() const { return print_; }
  // Define mode has begun in a file whose data have locations.
  void begin_define_mode() { ends_late_ = true; }
  // Whether nothing since then changes a location, so that define mode can end late.
  bool ends_late() const { return ends_late_; }
  // The last definition of this kind, byte_order or form, of the variable.
  std::optional<int> chosen(Definition::Kind kind, int variable) const;

  // ---- agreements ----
  // The ranks have made the same ones. `again`: the file can still be made again from all that were agreed
  // on.
  void agree(bool again);
  // The file cannot be made again as it was before any of them.
  void forget();
  // The file is made again: returns those that were agreed on, which are added once more; forgets all.
  // `with_data`: its data have locations.
  std::vector<Definition> begin_again(bool with_data);

  // ---- what the underlying library keeps of a file that cannot be made again ----
  // It has kept the present definitions. A copy of all of them takes milliseconds if they are thousands, and
  // models enter define mode for each attribute: it keeps those of an agreement before, and the later ones
  // are here.
  void keep();
  bool keeps() const { return kept_.has_value(); }
  void drop_kept() { kept_.reset(); }
  // The ranks have made the same ones, which are added to those that were kept. If there are then more than
  // `most`, nothing is kept any more.
  void agree_with_kept(size_t most);
  // The library has returned to what it kept: returns those to be made once more there. This is then what the
  // ranks agreed on last.
  std::vector<Definition> return_to_kept();

  // As bytes, those that other ranks may not have made. `again`: the file is to be made again.
  std::string not_agreed(bool again) const;

 private:
  using Choices = std::map<std::pair<Definition::Kind, int>, int>;  // by the id of the variable
  struct Kept {
    size_t fresh;  // the first ones of `fresh_` are agreed on
    uint64_t print;
    bool ends_late;
    Choices choices;                  // when the library kept the definitions
    std::vector<Definition> later{};  // those that the ranks have agreed on since then
  };
  void note_choice(const Definition& definition);

  std::vector<Definition> fresh_;   // since the last agreement
  std::vector<Definition> agreed_;  // those before, since the underlying define mode began
  uint64_t print_ = 0;
  bool ends_late_ = false;
  Choices choices_;
  std::optional<Kept> kept_;
};

}  // namespace scorpio_pio
