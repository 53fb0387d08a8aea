// The ways in which data cross between nodes: every combination of choices gives the same file and the same
// elements, the messages that were planned, and its own counter.
#include <random>

#include "accesses.h"
#include "layout.h"
#include "reference.h"
#include "support/whole_file.h"

namespace scorpio::api_test {
namespace {

constexpr const char* k_transfers[] = {"messages", "alltoall", "neighbor"};

struct Choice {
  std::string transfer, ranges, domains;
  std::string text() const { return transfer + " " + ranges + " " + domains; }
};

struct Outcome {
  std::string file;  // its bytes, on rank 0
  uint64_t messages = 0, data_bytes = 0, collectives = 0, range_bytes = 0;
};

std::string bytes_of(const std::string& path) { return test::whole_file(path); }

class Transfers : public testing::Test {
 protected:
  Transfers() : random_(1) {}

  void draw() {
    const Extents dims = random_extents();
    layouts_ = {random_layout(dims, ranks_in(), random_), random_layout(dims, ranks_in(), random_)};
    dims_ = dims;
  }

  // Writes two variables by decompositions and one by requests, and reads all of them.
  Outcome run(const Choice& choice, Settings settings) {
    settings.insert(settings.end(),
                    {{"transfer", choice.transfer}, {"ranges", choice.ranges}, {"domains", choice.domains}});
    SCOPED_TRACE(choice.text());
    const System system(settings);
    const std::string path = folder_ / ("f" + std::to_string(runs_++));
    const Decomp first(system, layouts_[0]), second(system, layouts_[1]);
    scorpio_file* file = nullptr;
    int v[3] = {-1, -1, -1};
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    for (int i = 0; i < 3; ++i) {
      const std::string name = "v" + std::to_string(i);
      EXPECT_SUCCESS(scorpio_variable_define(file, name.c_str(), SCORPIO_INT32,
                                             static_cast<int>(dims_.size()), dims_.data(), &v[i]));
    }
    Reference<int32_t> a(dims_), b(dims_);
    const auto put_to = [&](int variable, int which, Reference<int32_t>& reference, uint64_t call) {
      const Layout& layout = layouts_[static_cast<size_t>(which)];
      EXPECT_SUCCESS(put<int32_t>(file, variable, which == 0 ? first : second, layout, call, rank_in()));
      reference.put(layout, call);
    };
    put_to(v[0], 0, a, 1);
    put_to(v[1], 1, b, 2);
    put_to(v[0], 1, a, 3);  // over the first
    post_rows(file, v[2], true);
    expect_part(file, v[0], first, layouts_[0], a, rank_in());
    expect_part(file, v[1], first, layouts_[0], b, rank_in());
    post_rows(file, v[2], false);
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_EQ(system.sum("planned_messages"), system.sum("messages"));
    Outcome outcome{rank_in() == 0 ? bytes_of(path) : std::string(), system.sum("messages"),
                    system.sum("message_data_bytes"), system.sum("collective_transfers"),
                    system.most("range_bytes")};
    on_all(true);
    return outcome;
  }

  // Rows of the first dimension are dealt out; with gaps, so that the ranks need the ranges of each unit.
  void post_rows(scorpio_file* file, int variable, bool writing) const {
    std::vector<std::vector<int32_t>> rows;
    Extents count = dims_;
    count[0] = 1;
    const auto elements = static_cast<size_t>(elements_of(count));
    for (int64_t row = rank_in(); row < dims_[0]; row += ranks_in() + 1) {
      rows.emplace_back(elements, writing ? static_cast<int32_t>(row + 1) : 0);
      Extents start(dims_.size(), 0);
      start[0] = row;
      const scorpio_access access =
          scorpio_hyperslab(variable, start.data(), count.data(), SCORPIO_INT32, rows.back().data());
      EXPECT_SUCCESS(writing ? iput(file, access) : iget(file, access));
    }
    EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    int64_t row = rank_in();
    for (const auto& one : rows) {
      EXPECT_EQ(std::vector<int32_t>(elements, static_cast<int32_t>(row + 1)), one);
      row += ranks_in() + 1;
    }
  }

  size_t pick(size_t n) { return random_() % n; }
  Extents random_extents() {
    const auto some = [this](size_t least, size_t most) {
      return static_cast<int64_t>(least + pick(most - least));
    };
    if (pick(2) == 0) return {some(2000, 30000)};
    return {some(5, 60), some(50, 600)};
  }

  Settings random_settings(const std::string& format) {
    const char* staging[] = {"64k", "256k", "1m"};
    const char* blocks[] = {"512", "4k", "32k"};
    const auto ranks = static_cast<size_t>(ranks_in());
    Settings settings{{"staging_bytes", staging[pick(3)]},
                      {"block_bytes", blocks[pick(3)]},
                      {"io_ranks", std::to_string(1 + pick(ranks))},
                      {"format", format}};
    if (pick(4) == 0) {
      settings.emplace_back("exchange", "messages");
    } else {
      settings.emplace_back("nodes", std::to_string(2 + pick(ranks - 1)));
    }
    if (pick(3) == 0) settings.emplace_back("asynchronous", "true");
    if (pick(3) == 0) settings.emplace_back("gather_writes", "true");
    if (pick(3) == 0) settings.emplace_back("staging_files", "1");
    return settings;
  }

  std::mt19937_64 random_;
  Extents dims_;
  std::vector<Layout> layouts_;
  const TemporaryFolder folder_;
  int runs_ = 0;
};

TEST_F(Transfers, GiveTheSameFile) {
  for (int round = 0; round < 3 && !HasFailure(); ++round) {
    draw();
    const bool hdf5 = round != 1;
    const Settings settings = random_settings(hdf5 ? "hdf5" : "cdf5");
    std::string text;
    for (const auto& [name, value] : settings) text += name + "=" + value + " ";
    SCOPED_TRACE(text);
    const std::vector<std::string> domains =
        hdf5 ? std::vector<std::string>{"cyclic", "contiguous", "balanced"}
             : std::vector<std::string>{"cyclic"};
    std::string file;
    for (const std::string& of : domains) {
      const Outcome messages = run({"messages", "allreduce", of}, settings);
      EXPECT_EQ(0u, messages.collectives);
      if (file.empty()) file = messages.file;
      EXPECT_TRUE(file == messages.file) << "other domains give another file";
      for (const char* transfer : {"alltoall", "neighbor"}) {
        const Outcome other = run({transfer, "allgather", of}, settings);
        EXPECT_TRUE(file == other.file) << transfer;
        EXPECT_EQ(messages.messages, other.messages);
        EXPECT_EQ(messages.data_bytes, other.data_bytes);
        EXPECT_EQ(messages.messages > 0, other.collectives > 0);
        EXPECT_EQ(static_cast<uint64_t>(ranks_in()) * messages.range_bytes, other.range_bytes);
      }
    }
  }
}

// A rank that cannot take part leaves rounds that others have begun.
TEST_F(Transfers, EndAfterAFailureOfOneRank) {
  for (const char* transfer : k_transfers) {
    SCOPED_TRACE(transfer);
    const System system({{"nodes", std::to_string(ranks_in())},
                         {"transfer", transfer},
                         {"staging_bytes", "64k"},
                         {"block_bytes", "512"}});
    for (const int culprit : {0, ranks_in() - 1}) {
      const Layout layout = uniform_layout({60000}, ranks_in());
      const Decomp decomp(system, layout);
      scorpio_file* file = nullptr;
      int v = -1;
      const std::string path = folder_ / (std::string(transfer) + std::to_string(culprit));
      EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
      EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &v));
      std::vector<int32_t> data(layout.of(rank_in()).size(), 1);
      const bool mine = rank_in() == culprit;
      (void)scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_INT32, mine ? nullptr : data.data());
      EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_close(file)) << last_text();
      EXPECT_TRUE(equal_on_all(last_text())) << last_text();
    }
    draw();
    const Layout& layout = layouts_[0];
    const Decomp decomp(system, layout);
    scorpio_file* file = nullptr;
    int v = -1;
    const std::string path = folder_ / (std::string(transfer) + "_next");
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(
        scorpio_variable_define(file, "v", SCORPIO_INT32, static_cast<int>(dims_.size()), dims_.data(), &v));
    Reference<int32_t> reference(dims_);
    EXPECT_SUCCESS(put<int32_t>(file, v, decomp, layout, 5, rank_in()));
    reference.put(layout, 5);
    expect_part(file, v, decomp, layout, reference, rank_in());
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

// Workers write, and the files use slots that they have in common: a wrong argument of one rank, and a write
// that fails on one, are told alike by all ranks; the next file is right.
TEST_F(Transfers, EndAfterAFailureWhileWorkersWrite) {
  struct Failure {
    const char* faults;
    int code;
  };
  for (const char* transfer : {"alltoall", "neighbor"}) {
    for (const Failure& failure :
         {Failure{"", SCORPIO_ERR_ARGUMENT}, {"write:2+=ENOSPC", SCORPIO_ERR_NO_SPACE}}) {
      SCOPED_TRACE(std::string(transfer) + " " + failure.faults);
      const bool refused = failure.code == SCORPIO_ERR_ARGUMENT;
      const Settings settings{{"nodes", std::to_string(ranks_in())},
                              {"transfer", transfer},
                              {"asynchronous", "true"},
                              {"io_rank_list", "0," + std::to_string(ranks_in() - 1)},
                              {"staging_bytes", "256k"},
                              {"block_bytes", "4k"}};
      Settings faulty = settings;
      // Of one I/O rank alone.
      if (rank_in() == ranks_in() - 1 || refused) faulty.emplace_back("store_faults", failure.faults);
      const System system(faulty);
      const Layout layout = uniform_layout({40000}, ranks_in());
      const Decomp decomp(system, layout);
      std::vector<std::pair<scorpio_file*, int>> files(2, {nullptr, -1});
      for (auto& [file, v] : files) {
        const std::string path = folder_ / ("worked" + std::to_string(runs_++));
        EXPECT_SUCCESS(
            scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
        EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &v));
      }
      const std::vector<int32_t> data(layout.of(rank_in()).size(), 1);
      for (int round = 0; round < 3; ++round) {
        for (const auto& [file, v] : files) {
          const bool wrong = refused && round == 1 && file == files[1].first && rank_in() == ranks_in() - 1;
          (void)scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_INT32, wrong ? nullptr : data.data());
        }
      }
      bool told = false;
      for (const auto& [file, v] : files) {
        const int code = scorpio_file_close(file);
        const std::string text = code == SCORPIO_OK ? "" : last_text();
        EXPECT_TRUE(equal_on_all(std::to_string(code) + text)) << code << " " << text;
        told = told || code == failure.code;
      }
      EXPECT_TRUE(told) << last_text();
      draw();
      if (refused) (void)run({transfer, "allreduce", "cyclic"}, settings);
    }
  }
}

TEST_F(Transfers, AreNamed) {
  const System one_node({{"nodes", "1"}, {"transfer", "alltoall"}});
  EXPECT_NE(std::string::npos, one_node.describe().find("messages, of which one node has none"));
  scorpio_options* wrong = nullptr;
  ASSERT_SUCCESS(scorpio_options_create(&wrong));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_options_set(wrong, "transfer", "alltoallv"));
  EXPECT_NE(std::string::npos, last_text().find("alltoallv")) << last_text();
  EXPECT_SUCCESS(scorpio_options_free(wrong));
}

}  // namespace
}  // namespace scorpio::api_test
