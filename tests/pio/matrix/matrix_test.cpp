// Every function of the PIO interface with every kind of wrong argument, on one rank and on all, under each
// error handler that returns. A call that communicates returns the same code on all ranks. One that sends
// nothing returns it on the rank that is wrong, and the others return it from the next call that
// communicates. Which functions send nothing is counted. The next call works, and the file holds what was
// written before.
#include <iostream>
#include <set>

#include "../counted_calls.h"
#include "../program.h"
#include "table.h"

namespace scorpio::pio_test::matrix {
namespace {

struct Range {
  int lowest, highest;
  bool same() const { return lowest == highest; }
};

Range over_ranks(int code) {
  int both[2] = {-code, code};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return {-both[0], both[1]};
}

bool remembers(Kind kind) { return kind == Kind::setting || kind == Kind::definition || kind == Kind::put; }

class Row {
 public:
  Row(Stage& stage, const Function& function) : stage_(stage), function_(function) {}

  void run() {
    stage_.begin();
    right_call();
    for (int mistake = 0; mistake < static_cast<int>(function_.mistakes.size()); ++mistake) {
      const Mistake& is = function_.mistakes[static_cast<size_t>(mistake)];
      SCOPED_TRACE(function_.name + ", " + is.name);
      wrong_on_all(mistake, is);
      if (ranks() == 1 || is.codes.of_one == k_only_all) continue;
      wrong_on_one(mistake, is, 0);
      wrong_on_one(mistake, is, ranks() - 1);
    }
    stage_.end();
  }

 private:
  int called(int mistake) {
    if (function_.kind == Kind::definition) stage_.enter_define_mode();
    if (function_.prepare) function_.prepare(stage_);
    const int before = counted_calls();
    const int code = function_.call(stage_, mistake);
    if (function_.kind != Kind::agreed) {
      EXPECT_EQ(before, counted_calls()) << "it sends something";
    }
    return code;
  }

  void right_call() {
    EXPECT_EQ(function_.right_code, called(k_no_mistake)) << function_.name;
    expect_told(false);
  }

  void wrong_on_all(int mistake, const Mistake& is) {
    EXPECT_EQ(is.codes.of_all, called(mistake)) << "on all ranks";
    expect_told(false);
    right_call();
  }

  void wrong_on_one(int mistake, const Mistake& is, int wrong) {
    const bool mine = rank() == wrong;
    SCOPED_TRACE("on rank " + std::to_string(wrong));
    const int code = called(mine ? mistake : k_no_mistake);
    if (function_.kind == Kind::agreed) {
      EXPECT_EQ(is.codes.of_one, code);
    } else {
      EXPECT_EQ(mine ? is.codes.of_all : function_.right_code, code);
    }
    const bool differs = !over_ranks(code).same();
    expect_told(remembers(function_.kind) && differs);
    right_call();
  }

  // All ranks return a failure once, and then none.
  void expect_told(bool failure) {
    ++ways_;
    if (failure) {
      const int told = stage_.tell(ways_);
      EXPECT_TRUE(over_ranks(told).same()) << told;
      EXPECT_LT(told, PIO_NOERR);
    }
    EXPECT_EQ(PIO_NOERR, stage_.tell(ways_)) << "in way " << ways_;
  }

  Stage& stage_;
  const Function& function_;
  int ways_ = 0;
};

using Part = void (*)(Table&);
const std::vector<std::pair<const char*, Part>> k_parts{{"library", add_library},
                                                        {"systems", add_systems},
                                                        {"decompositions", add_decompositions},
                                                        {"files", add_files},
                                                        {"arrays", add_arrays},
                                                        {"dimensions", add_dimensions},
                                                        {"variables", add_variables},
                                                        {"attributes", add_attributes},
                                                        {"storage", add_storage},
                                                        {"data", add_data}};
constexpr std::array<int, 3> k_handlers{PIO_BCAST_ERROR, PIO_REDUCE_ERROR, PIO_RETURN_ERROR};

class Matrix : public Program, public testing::WithParamInterface<std::pair<const char*, Part>> {
 protected:
  // With the handlers from `first` on, each of which has every `step`-th function.
  void run(size_t first, size_t step) {
    Table table;
    GetParam().second(table);
    Stage stage(path("."), k_handlers[first]);
    for (size_t i = first % step; i < table.functions().size(); i += step) {
      Row(stage, table.functions()[i]).run();
      if (HasFailure()) std::cerr << "in " << table.functions()[i].name << '\n';
    }
  }
};

TEST_P(Matrix, WithOneHandlerEach) {
  for (size_t handler = 0; handler < k_handlers.size(); ++handler) run(handler, k_handlers.size());
}

TEST_P(Matrix, WithEveryHandler) {
  for (size_t handler = 0; handler < k_handlers.size(); ++handler) run(handler, 1);
}

// As many as pio_api.h declares.
TEST(Table, HasEveryFunction) {
  std::set<std::string> names;
  for (const auto& [name, add] : k_parts) {
    Table table;
    add(table);
    for (const Function& function : table.functions()) names.insert(function.name);
  }
  EXPECT_EQ(257u, names.size());
}

INSTANTIATE_TEST_SUITE_P(, Matrix, testing::ValuesIn(k_parts),
                         [](const auto& part) { return std::string(part.param.first); });

}  // namespace
}  // namespace scorpio::pio_test::matrix
