// Wrong definitions and data calls: they fail at once on their rank, and at the next synchronisation point on
// all ranks. After a failure of one rank there is no file; after the same failure on all ranks no other data
// are lost.
#include <gtest/gtest.h>

#include <functional>
#include <span>

#include "faults/job.h"

namespace scorpio::test {
namespace {

struct Call {
  const char* what;
  int code;
  // The wrong call; `variable` and `text` are variables of the file, of doubles and of text.
  std::function<int(const System&, scorpio_file*, int variable, int text)> make;
};

const int64_t k_line[] = {7};
const int64_t k_huge[] = {int64_t{1} << 62, 4};

const Call k_definitions[] = {
    {"variable of no type", SCORPIO_ERR_TYPE,
     [](const System& s, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "w", static_cast<scorpio_type>(99), 2, s.dims(), &id);
     }},
    {"variable without dims", SCORPIO_ERR_ARGUMENT,
     [](const System&, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "w", SCORPIO_INT8, 2, nullptr, &id);
     }},
    {"variable there already", SCORPIO_ERR_EXISTS,
     [](const System& s, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "v1", SCORPIO_INT8, 2, s.dims(), &id);
     }},
    {"variable without a name", SCORPIO_ERR_NAME,
     [](const System& s, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "", SCORPIO_INT8, 2, s.dims(), &id);
     }},
    {"variable with a NULL name", SCORPIO_ERR_NAME,
     [](const System& s, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, nullptr, SCORPIO_INT8, 2, s.dims(), &id);
     }},
    {"variable too large", SCORPIO_ERR_LIMIT,
     [](const System&, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "w", SCORPIO_FLOAT64, 2, k_huge, &id);
     }},
    {"text without a length", SCORPIO_ERR_ARGUMENT,
     [](const System& s, auto* f, int, int) {
       int id = -1;
       return scorpio_variable_define(f, "w", SCORPIO_TEXT, 2, s.dims(), &id);
     }},
    {"group under a variable", SCORPIO_ERR_EXISTS,
     [](const System&, auto* f, int, int) { return scorpio_group_define(f, "v1/g", nullptr); }},
    {"attribute of nothing", SCORPIO_ERR_HANDLE,
     [](const System&, auto* f, int, int) {
       const int value = 1;
       return scorpio_attribute_put(f, 1000, "a", SCORPIO_INT32, 0, 0, nullptr, SCORPIO_INT32, &value);
     }},
    {"attribute without a value", SCORPIO_ERR_ARGUMENT,
     [](const System&, auto* f, int, int) {
       return scorpio_attribute_put(f, SCORPIO_GLOBAL, "a", SCORPIO_INT32, 0, 0, nullptr, SCORPIO_INT32,
                                    nullptr);
     }},
    {"removal of nothing", SCORPIO_ERR_NOT_FOUND,
     [](const System&, auto* f, int, int) { return scorpio_object_remove(f, "absent"); }},
};

// The rank takes no part in these: it does not know in what.
const Call k_refused[] = {
    {"negative id", SCORPIO_ERR_HANDLE,
     [](const System& s, auto* f, int, int) {
       return scorpio_put_darray(f, -1, s.decomp(), 0, SCORPIO_FLOAT64, s.values(1).data());
     }},
    {"id too large", SCORPIO_ERR_HANDLE,
     [](const System& s, auto* f, int, int) {
       return scorpio_put_darray(f, 1000, s.decomp(), 0, SCORPIO_FLOAT64, s.values(1).data());
     }},
    {"no decomposition", SCORPIO_ERR_HANDLE,
     [](const System& s, auto* f, int v, int) {
       return scorpio_put_darray(f, v, nullptr, 0, SCORPIO_FLOAT64, s.values(1).data());
     }},
    {"other extents", SCORPIO_ERR_SHAPE,
     [](const System& s, auto* f, int, int text) {
       return scorpio_put_darray(f, text, s.decomp(), 0, SCORPIO_TEXT, s.values(1).data());
     }},
};

// It takes part in these with nothing.
const Call k_empty[] = {
    {"no data", SCORPIO_ERR_ARGUMENT,
     [](const System& s, auto* f, int v, int) {
       return scorpio_put_darray(f, v, s.decomp(), 0, SCORPIO_FLOAT64, nullptr);
     }},
    {"no type", SCORPIO_ERR_TYPE,
     [](const System& s, auto* f, int v, int) {
       return scorpio_put_darray(f, v, s.decomp(), 0, static_cast<scorpio_type>(0), s.values(1).data());
     }},
    {"text for numbers", SCORPIO_ERR_TYPE,
     [](const System& s, auto* f, int v, int) {
       return scorpio_put_darray(f, v, s.decomp(), 0, SCORPIO_TEXT, s.values(1).data());
     }},
};

const Settings k_small = {{"staging_bytes", "2MiB"}};
const Settings k_several = {{"staging_bytes", "2MiB"}, {"nodes", "2"}, {"io_ranks_per_node", "2"}};
const Settings k_messages = {{"staging_bytes", "1MiB"}, {"exchange", "messages"}};

class BadData : public testing::Test {
 protected:
  // Makes the file with "v1" and a text variable, and another one, "v2", after `wrong`.
  Outcome run(const System& system, const std::string& path,
              const std::function<void(scorpio_file*, int, int)>& wrong) {
    scorpio_file* file = nullptr;
    Outcome last =
        outcome(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    if (!last.ok()) return last;
    int text = -1, variable = -1;
    // A rank that is slow may find here that another has failed meanwhile.
    const Outcome first = write_variable(system, file, 1);
    EXPECT_TRUE(first.ok() || first.code == SCORPIO_ERR_ABORTED) << first.text;
    EXPECT_EQ(scorpio_variable_find(file, "v1", &variable), SCORPIO_OK);
    EXPECT_EQ(scorpio_variable_define_sized(file, "text", SCORPIO_TEXT, 4, 1, k_line, &text), SCORPIO_OK);
    wrong(file, variable, text);
    (void)write_variable(system, file, 2);
    return outcome(scorpio_file_close(file));
  }

  static bool last_rank() { return rank() == ranks() - 1; }
  const SharedFolder folder_;
};

// With `calls` on the last rank alone the file must fail as a whole, as `reported` says.
void expect_no_file(const Outcome& closed, const std::string& path, int code, const char* what) {
  EXPECT_EQ(closed.code, code) << what << ": " << closed.text;
  EXPECT_TRUE(same_everywhere(closed)) << what << ": " << closed.text;
  EXPECT_FALSE(exists(path)) << what;
  EXPECT_FALSE(exists(path + ".scorpio-tmp")) << what;
}

TEST_F(BadData, DefinitionOnAllRanksHarmsNothing) {
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  for (const Call& call : k_definitions) {
    const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int t) {
      EXPECT_EQ(call.make(system, file, v, t), call.code) << call.what;
    });
    EXPECT_TRUE(closed.ok()) << call.what << ": " << closed.text;
    EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2", "text"})) << call.what;
  }
}

TEST_F(BadData, DefinitionOnOneRankNamesIt) {
  if (ranks() == 1) GTEST_SKIP();
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  for (const Call& call : k_definitions) {
    // The others define something that this rank could not.
    const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int t) {
      if (last_rank()) {
        EXPECT_EQ(call.make(system, file, v, t), call.code) << call.what;
      } else {
        EXPECT_EQ(scorpio_group_define(file, "other", nullptr), SCORPIO_OK);
      }
    });
    expect_no_file(closed, path, call.code, call.what);
    EXPECT_EQ(closed.origin, ranks() - 1);
  }
}

TEST_F(BadData, OtherDefinitionsOnOneRank) {
  if (ranks() == 1) GTEST_SKIP();
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  const Outcome closed = run(system, path, [&](scorpio_file* file, int, int) {
    EXPECT_EQ(scorpio_group_define(file, last_rank() ? "mine" : "yours", nullptr), SCORPIO_OK);
  });
  expect_no_file(closed, path, SCORPIO_ERR_MISMATCH, "groups");
  EXPECT_EQ(closed.origin, ranks() - 1);
  EXPECT_NE(closed.text.find("definitions"), std::string::npos) << closed.text;
}

TEST_F(BadData, RefusedOnAllRanksLosesNothingElse) {
  const std::string path = folder_ / "a.h5";
  for (const Settings& settings : {k_small, k_several, k_messages}) {
    for (const int64_t rows : {10, 6000}) {  // less and more than the staging holds
      const System system(settings, rows);
      for (const Call& call : std::span(k_refused).first(rows == 10 ? std::size(k_refused) : 1)) {
        const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int t) {
          EXPECT_EQ(call.make(system, file, v, t), call.code) << call.what;
        });
        EXPECT_EQ(closed.code, call.code) << call.what << ": " << closed.text;
        EXPECT_TRUE(same_everywhere(closed)) << call.what;
        EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2", "text"})) << call.what;
      }
    }
  }
}

void put_wrongly_on_one_rank(const System& system, scorpio_file* file, int v, int t, const Call& call,
                             bool here) {
  if (here) {
    EXPECT_EQ(call.make(system, file, v, t), call.code) << call.what;
  } else {
    (void)scorpio_put_darray(file, v, system.decomp(), 0, SCORPIO_FLOAT64, system.values(1).data());
  }
}

TEST_F(BadData, PutOnOneRank) {
  if (ranks() == 1) GTEST_SKIP();
  const std::string path = folder_ / "a.h5";
  for (const Settings& settings : {k_small, k_several, k_messages}) {
    for (const int64_t rows : {10, 6000}) {  // less and more than the staging holds
      const System system(settings, rows);
      for (const auto& calls : {std::span<const Call>(k_refused), std::span<const Call>(k_empty)}) {
        for (const Call& call : calls) {
          const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int t) {
            put_wrongly_on_one_rank(system, file, v, t, call, last_rank());
          });
          expect_no_file(closed, path, call.code, call.what);
          EXPECT_EQ(closed.origin, ranks() - 1);
        }
      }
    }
  }
}

// After a failure the I/O system is as good as before.
TEST_F(BadData, NextFileIsNotTouched) {
  if (ranks() == 1) GTEST_SKIP();
  const std::string bad = folder_ / "bad.h5", good = folder_ / "good.h5";
  for (const char* nodes : {"1", "2"}) {
    const System system({{"staging_bytes", "2MiB"}, {"nodes", nodes}}, 6000);
    for (int i = 0; i < 5; ++i) {
      EXPECT_FALSE(run(system, bad, [&](scorpio_file* file, int v, int t) {
                     put_wrongly_on_one_rank(system, file, v, t, k_refused[0], last_rank());
                   }).ok());
      const Outcome closed = run(system, good, [](scorpio_file*, int, int) {});
      EXPECT_TRUE(closed.ok()) << closed.text;
      EXPECT_TRUE(stock_reader_accepts(good, {"v1", "v2"}));
    }
  }
}

// The earlier file of that name is there until a good one replaces it.
TEST_F(BadData, OldFileStays) {
  if (ranks() == 1) GTEST_SKIP();
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  EXPECT_TRUE(run(system, path, [](scorpio_file*, int, int) {}).ok());
  EXPECT_FALSE(run(system, path, [&](scorpio_file* file, int v, int t) {
                 put_wrongly_on_one_rank(system, file, v, t, k_empty[0], last_rank());
               }).ok());
  EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2"}));
}

// A put that a rank does not make at all, as one with a NULL file.
TEST_F(BadData, MissingPutOnOneRank) {
  if (ranks() == 1) GTEST_SKIP();
  const std::string path = folder_ / "a.h5";
  for (const int64_t rows : {10, 6000}) {
    const System system(k_small, rows);
    const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int) {
      (void)scorpio_put_darray(last_rank() ? nullptr : file, v, system.decomp(), 0, SCORPIO_FLOAT64,
                               system.values(1).data());
    });
    expect_no_file(closed, path, SCORPIO_ERR_MISMATCH, "missing put");
  }
}

// Good arguments, but others than those of the other ranks.
TEST_F(BadData, OtherVariableOnOneRank) {
  if (ranks() == 1) GTEST_SKIP();
  const std::string path = folder_ / "a.h5";
  for (const int64_t rows : {10, 6000}) {
    const System system(k_small, rows);
    const Outcome closed = run(system, path, [&](scorpio_file* file, int v, int) {
      int id = -1;
      EXPECT_EQ(scorpio_variable_define(file, "v3", SCORPIO_FLOAT64, 2, system.dims(), &id), SCORPIO_OK);
      (void)scorpio_put_darray(file, last_rank() ? v : id, system.decomp(), 0, SCORPIO_FLOAT64,
                               system.values(3).data());
    });
    expect_no_file(closed, path, SCORPIO_ERR_MISMATCH, "other variable");
  }
}

// A clipped value costs nothing else, and hides nothing else.
TEST_F(BadData, ClippedValues) {
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  const auto clip = [&](scorpio_file* file) {
    int id = -1;
    EXPECT_EQ(scorpio_variable_define(file, "small", SCORPIO_INT8, 2, system.dims(), &id), SCORPIO_OK);
    (void)scorpio_put_darray(file, id, system.decomp(), 0, SCORPIO_FLOAT64, system.values(3).data());
  };
  const Outcome clipped = run(system, path, [&](scorpio_file* file, int, int) { clip(file); });
  EXPECT_EQ(clipped.code, SCORPIO_ERR_RANGE);
  EXPECT_TRUE(same_everywhere(clipped));
  EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2", "small"}));
  if (ranks() == 1) return;
  const std::string other = folder_ / "b.h5";
  const Outcome failed = run(system, other, [&](scorpio_file* file, int v, int t) {
    clip(file);
    put_wrongly_on_one_rank(system, file, v, t, k_empty[0], last_rank());
  });
  expect_no_file(failed, other, SCORPIO_ERR_ARGUMENT, "clipped, and no data");
}

TEST_F(BadData, GetOnOneRank) {
  const System system(k_small, 10);
  const std::string path = folder_ / "a.h5";
  EXPECT_TRUE(run(system, path, [](scorpio_file*, int, int) {}).ok());
  for (const bool refused : {false, true}) {
    scorpio_file* file = nullptr;
    EXPECT_EQ(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file), SCORPIO_OK);
    int id = -1;
    EXPECT_EQ(scorpio_variable_find(file, "v1", &id), SCORPIO_OK);
    std::vector<double> values = system.values(0);
    const auto type = last_rank() && !refused ? SCORPIO_TEXT : SCORPIO_FLOAT64;
    const int variable = last_rank() && refused ? -1 : id;
    const Outcome got = outcome(scorpio_get_darray(file, variable, system.decomp(), 0, type, values.data()));
    EXPECT_EQ(got.code, refused ? SCORPIO_ERR_HANDLE : SCORPIO_ERR_TYPE) << got.text;
    EXPECT_TRUE(same_everywhere(got)) << got.text;
    EXPECT_EQ(got.origin, ranks() - 1);
    EXPECT_TRUE(same_everywhere(outcome(scorpio_file_close(file))));
  }
  EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2"}));
}

// Rows for few ranks only, staging far smaller than a row, as many I/O ranks as ranks.
TEST_F(BadData, OddSizesAreFine) {
  const std::string path = folder_ / "a.h5";
  const Settings odd = {
      {"staging_bytes", "64KiB"}, {"io_ranks", std::to_string(ranks())}, {"block_bytes", "512"}};
  for (const int64_t rows : {0, 1, 2, 2000}) {
    const System system(odd, rows);
    const Outcome closed = run(system, path, [](scorpio_file*, int, int) {});
    EXPECT_TRUE(closed.ok()) << rows << " rows: " << closed.text;
    EXPECT_TRUE(stock_reader_accepts(path, {"v1", "v2"})) << rows << " rows";
  }
}

}  // namespace
}  // namespace scorpio::test
