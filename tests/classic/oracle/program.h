// A random program on one classic netCDF file, of which several may be open at once: what it does through the
// library, it does to the model. All ranks draw the same numbers. Collective.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "api/layout.h"
#include "api/session.h"
#include "file_model.h"

namespace scorpio::classic_test {

using api_test::Decomp;
using api_test::Extents;
using api_test::Layout;

// A layout, made when it is needed.
struct Parts {
  Layout layout;
  std::unique_ptr<Decomp> decomp;
};

// Of an I/O system.
api_test::Settings random_settings(std::mt19937_64& random);

class Program {
 public:
  // `system` outlives this.
  Program(uint64_t seed, const api_test::System& system, const std::string& path);

  // Makes the file, or opens one that another library has made as the model says.
  void begin();
  void begin_with(const std::string& path);
  void take_step(int number);
  // Leaves the file closed.
  void end();
  const FileModel& model() const { return model_; }
  const std::string& path() const { return path_; }
  std::string format() const;

 private:
  friend class RequestStep;  // request_step.cpp

  // Below n; of a chance of 1 in n.
  size_t pick(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return pick(n) == 0; }
  template <typename All>
  const auto& any_of(const All& all) {
    return all[pick(all.size())];
  }
  void step();
  void reopen(bool writable);

  // ---- definitions.cpp ----
  std::string new_name(size_t bytes);
  void define_dimension(bool unlimited);
  void define_variable();
  void define_fill(int variable);
  Type random_type(int version);
  Attribute random_attribute();
  void put_attribute(int variable, const Attribute& attribute);
  void put_attribute(int variable) { put_attribute(variable, random_attribute()); }
  void shrink_attribute(int variable);
  void remove_attribute(int variable);
  void rename_something(bool defining);
  void define_more();
  void redefine();
  void enter_data_mode();
  void check_definitions();
  void check_attributes(int variable);

  // ---- puts.cpp, gets.cpp ----
  const Parts& random_parts(const Extents& slab_dims);
  std::vector<Change> changes_of(int variable, const Layout& layout, int64_t record, uint64_t call) const;
  Bytes buffer_of(const Layout& layout, scorpio_type memory, uint64_t call) const;
  scorpio_type random_memory(const Type& type);
  int64_t random_record(const Variable& variable);
  int random_variable();
  bool covers_nothing(const Layout& layout) const;
  void put();
  void put_n();
  void put_slab();
  void post();
  void post_and_define();
  void get();
  void get_n();
  void get_slab() { check_array(random_variable()); }
  void check_array(int variable);
  void get_slabs();
  void check_part(int variable, const Layout& layout, int64_t record, const Bytes& got) const;
  void check_all();

  std::mt19937_64 random_;
  const api_test::System& system_;
  std::string path_;
  FileModel model_;
  scorpio_file* file_ = nullptr;
  bool fill_mode_ = false;
  bool single_record_variable_ = false;
  bool large_ = false;
  int rank_, ranks_;
  int names_ = 0;
  std::string step_;
  uint64_t calls_ = 0;
  std::map<Extents, std::deque<Parts>> parts_;  // stay where they are
};

}  // namespace scorpio::classic_test
