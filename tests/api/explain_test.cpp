// What scorpio_explain_darray() says beforehand is what the counters say afterwards.
#include <algorithm>
#include <cstdio>
#include <random>
#include <sstream>

#include "accesses.h"
#include "layout.h"

namespace scorpio::api_test {
namespace {

std::string explained(scorpio_file* file, int variable, scorpio_decomp* decomp, int64_t record = 0) {
  size_t length = 0;
  std::vector<char> text(4096);
  EXPECT_SUCCESS(scorpio_explain_darray(file, variable, decomp, record, text.data(), text.size(), &length));
  EXPECT_LT(length, text.size());
  return text.data();
}

// The id of variable v, the only one of a new file.
int create_with_variable(const System& system, const TemporaryFolder& folder, const Layout& layout,
                         scorpio_file** file) {
  int v = -1;
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_CDF5, nullptr, file));
  EXPECT_SUCCESS(scorpio_variable_define(*file, "v", SCORPIO_FLOAT64, 2, layout.dims.data(), &v));
  return v;
}

struct Costs {
  uint64_t put_messages = 0, put_bytes = 0, get_messages = 0, get_bytes = 0, file_bytes = 0, units = 0;
  uint64_t writes = 0, unaligned = 0;

  static Costs of(const std::string& text) {
    Costs costs;
    int found = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      found += std::sscanf(line.c_str(), "put: %lu messages between nodes with %lu", &costs.put_messages,
                           &costs.put_bytes);
      found += std::sscanf(line.c_str(), "get: %lu messages between nodes with %lu", &costs.get_messages,
                           &costs.get_bytes);
      found += std::sscanf(line.c_str(), "file: %lu bytes in %lu", &costs.file_bytes, &costs.units);
      found += std::sscanf(line.c_str(), "writes: %lu of a put, %lu", &costs.writes, &costs.unaligned);
    }
    EXPECT_GE(found, 7) << text;
    return costs;
  }
};

// The number before the word in a line; 0: the word is not in it.
uint64_t number_before(const std::string& line, const std::string& word) {
  const size_t at = line.find(" " + word);
  if (at == std::string::npos) return 0;
  const size_t begin = line.find_last_not_of("0123456789", at - 1) + 1;
  EXPECT_LT(begin, at) << line;
  return std::stoull(line.substr(begin, at - begin));
}

// The line of a text that begins so.
std::string line_of(const std::string& text, const std::string& begin) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) return line;
  }
  ADD_FAILURE() << "no line \"" << begin << "\" in\n" << text;
  return "";
}

// What a put would cost with another value of one option.
struct Other {
  std::string name, value;
  uint64_t io_ranks = 0, messages = 0, bytes = 0, rounds = 0, operations = 0, writes = 0;

  static std::vector<Other> all_of(const std::string& text) {
    std::vector<Other> others;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t equals = line.find(" = "), colon = line.find(": ");
      if (!line.starts_with("  ") || equals == std::string::npos || colon == std::string::npos) continue;
      Other other{line.substr(2, equals - 2), line.substr(equals + 3, colon - equals - 3)};
      EXPECT_EQ(4, std::sscanf(line.c_str() + colon,
                               ": %lu I/O ranks, %lu messages with %lu bytes of elements in %lu rounds",
                               &other.io_ranks, &other.messages, &other.bytes, &other.rounds))
          << line;
      other.operations = number_before(line, "collective operations");
      other.writes = number_before(line, "writes");
      others.push_back(other);
    }
    return others;
  }
};

uint64_t data_writes(const System& system) {
  return system.sum("aligned_writes") + system.sum("unaligned_writes");
}

class Explain : public testing::Test {
 protected:
  // A put, a sync and a get of the variable, each compared with what was said before.
  void compare(const System& system, scorpio_file* file, int variable, const Layout& layout) {
    const Decomp decomp(system, layout);
    std::vector<double> data(layout.of(rank_in()).size(), 1.5);
    const std::string text = explained(file, variable, decomp.get());
    EXPECT_TRUE(equal_on_all(text));
    const Costs costs = Costs::of(text);
    const_cast<System&>(system).reset();
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_sync(file));
    EXPECT_EQ(system.sum("messages"), costs.put_messages) << text;
    EXPECT_EQ(system.sum("message_data_bytes"), costs.put_bytes) << text;
    EXPECT_LE(system.sum("bytes_written") - system.sum("metadata_bytes"), costs.file_bytes) << text;
    EXPECT_LE(system.sum("rounds"), costs.units) << text;
    EXPECT_EQ(data_writes(system), costs.writes) << text;
    EXPECT_EQ(system.sum("unaligned_writes"), costs.unaligned) << text;
    const_cast<System&>(system).reset();
    EXPECT_SUCCESS(scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_EQ(system.sum("messages"), costs.get_messages) << text;
    const uint64_t got = system.sum("message_data_bytes");
    EXPECT_GE(got, costs.get_bytes) << text;
    if (text.find("at least") == std::string::npos) {
      EXPECT_EQ(got, costs.get_bytes) << text;
    }
  }

  // A put of float64 into a new file, opened after as many others; with `explain` only what would be.
  std::string put_once(const System& system, scorpio_format format, const Layout& layout, bool explain,
                       size_t others) {
    const TemporaryFolder folder;
    const Decomp decomp(system, layout);
    const std::vector<double> data(layout.of(rank_in()).size(), 1.5);
    scorpio_file* file = nullptr;
    int v = -1;
    std::string text;
    std::vector<scorpio_file*> before(others);
    for (size_t i = 0; i < others; ++i)
      EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder / std::to_string(i)).c_str(), format, nullptr,
                                         &before[i]));
    EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder / "f").c_str(), format, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, layout.dims.data(), &v));
    if (explain) {
      text = explained(file, v, decomp.get());
    } else {
      EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
    for (scorpio_file* other : before) EXPECT_SUCCESS(scorpio_file_close(other));
    return text;
  }

  // Each alternative, tried.
  size_t compare_others(const Settings& settings, scorpio_format format, const Layout& layout,
                        size_t before = 0) {
    const System system(settings);
    const std::vector<Other> others = Other::all_of(put_once(system, format, layout, true, before));
    for (const Other& other : others) {
      SCOPED_TRACE(other.name + " = " + other.value);
      Settings changed;
      for (const auto& setting : settings) {
        if (setting.first != other.name && setting.first != "io_ranks") changed.push_back(setting);
      }
      if (other.name == "domains" || other.name == "transfer") changed = settings;
      std::erase_if(changed, [&](const auto& setting) { return setting.first == other.name; });
      changed.emplace_back(other.name, other.value);
      const System tried(changed);
      (void)put_once(tried, format, layout, false, before);
      EXPECT_EQ(static_cast<uint64_t>(tried.io_ranks()), other.io_ranks);
      EXPECT_EQ(tried.sum("messages"), other.messages);
      EXPECT_EQ(tried.sum("message_data_bytes"), other.bytes);
      EXPECT_EQ(tried.sum("collective_transfers"), other.operations);
      EXPECT_EQ(other.messages > 0, other.rounds > 0);
      EXPECT_EQ(data_writes(tried), other.writes);
    }
    return others.size();
  }

  void run(const Settings& settings, scorpio_format format, std::mt19937_64& random) {
    const System system(settings);
    const TemporaryFolder folder;
    scorpio_file* file = nullptr;
    const Extents dims{97, 53}, frames{3, 97, 53};
    EXPECT_SUCCESS(scorpio_file_create(system.get(), (folder / "f").c_str(), format, nullptr, &file));
    int v = -1, r = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, dims.data(), &v));
    EXPECT_SUCCESS(scorpio_variable_define(file, "r", SCORPIO_FLOAT32, 3, frames.data(), &r));
    for (const int variable : {v, r, v})
      compare(system, file, variable, random_layout(dims, ranks_in(), random));
    compare(system, file, v, uniform_layout(dims, ranks_in()));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
};

TEST_F(Explain, CountsAreThoseOfTheCalls) {
  std::mt19937_64 random(7);
  for (const int nodes : {1, 2, 3, ranks_in()}) {
    for (const char* io_ranks : {"1", "2"}) {
      for (const scorpio_format format : {SCORPIO_FORMAT_HDF5, SCORPIO_FORMAT_CDF5}) {
        if (nodes > ranks_in() || std::stoi(io_ranks) > ranks_in()) continue;
        SCOPED_TRACE(std::to_string(nodes) + " nodes, I/O ranks " + io_ranks);
        run({{"nodes", std::to_string(nodes)},
             {"io_ranks", io_ranks},
             {"staging_bytes", "256k"},
             {"block_bytes", "4k"},
             {"domains", format == SCORPIO_FORMAT_HDF5 && random() % 2 == 0 ? "contiguous" : "cyclic"}},
            format, random);
      }
    }
  }
}

TEST_F(Explain, CostsOfOtherChoicesAreThoseOfRunsWithThem) {
  std::mt19937_64 random(9);
  for (const int nodes : {1, 2, ranks_in()}) {
    if (nodes > ranks_in()) continue;
    SCOPED_TRACE(std::to_string(nodes) + " nodes");
    const Layout layout = random_layout({97, 53}, ranks_in(), random);
    const Settings settings{
        {"nodes", std::to_string(nodes)}, {"staging_bytes", "256k"}, {"block_bytes", "4k"}};
    Settings one = settings;
    one.emplace_back("io_ranks", "1");
    const auto per_node = static_cast<size_t>(ranks_in() > nodes ? 2 : 1);
    // Half of the writers.
    const auto fewer = static_cast<size_t>(System(settings).io_ranks() > 1 ? 1 : 0);
    const size_t transfers = nodes > 1 ? 2 : 0;
    EXPECT_EQ(compare_others(settings, SCORPIO_FORMAT_HDF5, layout), per_node + transfers + fewer);
    // With one I/O rank on one node, one on each node is the same choice.
    EXPECT_EQ(compare_others(one, SCORPIO_FORMAT_HDF5, layout),
              transfers + (nodes > 1 ? per_node + 1 : (ranks_in() > 1 ? size_t{2} : size_t{1})));
    EXPECT_EQ(compare_others(settings, SCORPIO_FORMAT_CDF5, layout), per_node - 1 + transfers + fewer);
    // Files that were opened before it have their share of the staging memory.
    for (const size_t before : {1, 2}) {
      SCOPED_TRACE(std::to_string(before) + " files before");
      EXPECT_EQ(compare_others(settings, SCORPIO_FORMAT_HDF5, layout, before), per_node + transfers + fewer);
    }
  }
}

// With each way of crossing between nodes: its rounds, what they need, and which way costs least.
TEST_F(Explain, RoundsAreThoseOfThePut) {
  if (ranks_in() == 1) return;
  std::mt19937_64 random(11);
  const Layout layout = random_layout({97, 53}, ranks_in(), random);
  const std::vector<double> data(layout.of(rank_in()).size(), 1.5);
  for (const char* transfer : {"messages", "alltoall", "neighbor"}) {
    SCOPED_TRACE(transfer);
    const System system({{"nodes", std::to_string(ranks_in())},
                         {"transfer", transfer},
                         {"staging_bytes", "256k"},
                         {"block_bytes", "4k"}});
    const TemporaryFolder folder;
    const Decomp decomp(system, layout);
    scorpio_file* file = nullptr;
    const int v = create_with_variable(system, folder, layout, &file);
    const std::string text = explained(file, v, decomp.get());
    EXPECT_NE(text.find("between nodes: transfer = " + std::string(transfer)), std::string::npos) << text;
    const std::string in_force = line_of(text, "put: ");
    EXPECT_SUCCESS(scorpio_put_darray(file, v, decomp.get(), 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_GT(number_before(in_force, "rounds"), 0u) << text;
    EXPECT_EQ(number_before(in_force, "collective operations"), system.sum("collective_transfers")) << text;
    const std::vector<Other> others = Other::all_of(text);
    for (const char* other : {"messages", "alltoall", "neighbor"}) {
      const auto of_option = std::ranges::count_if(
          others, [&](const Other& one) { return one.name == "transfer" && one.value == other; });
      EXPECT_EQ(of_option, other == std::string(transfer) ? 0 : 1) << other << " in\n" << text;
    }
    EXPECT_FALSE(line_of(text, "cheapest of these by estimated cost: ").empty());
  }
}

// Of requests that cover the variable, without gaps.
TEST_F(Explain, BytesOfRangesAreThoseOfAWait) {
  const int64_t ranks = ranks_in();
  const Layout layout = uniform_layout({4 * ranks, 8}, ranks_in());
  for (const char* ranges : {"allreduce", "allgather"}) {
    SCOPED_TRACE(ranges);
    System system({{"nodes", std::to_string(std::min(2, ranks_in()))}, {"ranges", ranges}});
    const TemporaryFolder folder;
    const Decomp decomp(system, layout);
    scorpio_file* file = nullptr;
    const int v = create_with_variable(system, folder, layout, &file);
    const std::string line = line_of(explained(file, v, decomp.get()), "requests: ");
    unsigned long reduced = 0, gathered = 0;
    EXPECT_EQ(2,
              std::sscanf(line.c_str(),
                          "requests: in a wait each rank receives at least %lu bytes of ranges with ranges "
                          "= allreduce, %lu with allgather; ",
                          &reduced, &gathered))
        << line;
    EXPECT_EQ(gathered, static_cast<unsigned long>(ranks) * reduced);
    system.reset();
    const int64_t start[] = {4 * rank_in(), 0}, count[] = {4, 8};
    const std::vector<double> data(32, 2.5);
    EXPECT_SUCCESS(
        iput(file, scorpio_hyperslab(v, start, count, SCORPIO_FLOAT64, const_cast<double*>(data.data()))));
    EXPECT_SUCCESS(scorpio_wait(file, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_EQ(system.most("range_bytes"), std::string(ranges) == "allreduce" ? reduced : gathered) << line;
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

TEST_F(Explain, TextNamesTheChoicesAndTheirOptions) {
  const System system({{"io_ranks", "1"}, {"block_bytes", "64k"}});
  const TemporaryFolder folder;
  scorpio_file* file = nullptr;
  int v = -1;
  const Layout layout = uniform_layout({40, 30}, ranks_in()), other = uniform_layout({30, 40}, ranks_in());
  const Decomp decomp(system, layout), wrong(system, other);
  EXPECT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "f").c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 2, layout.dims.data(), &v));
  const std::string text = explained(file, v, decomp.get());
  for (const char* part : {"I/O ranks: 1 (0); io_ranks = 1 (", "file domains: cyclic",
                           "block_bytes = 64 KiB (", "put: 0 messages", "file: 4800 bytes"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  const auto code = [&](int variable, scorpio_decomp* by) {
    return scorpio_explain_darray(file, variable, by, 0, nullptr, 0, nullptr);
  };
  EXPECT_EQ(code(v, wrong.get()), SCORPIO_ERR_SHAPE);
  EXPECT_EQ(code(v, nullptr), SCORPIO_ERR_HANDLE);
  EXPECT_EQ(code(v + 17, decomp.get()), SCORPIO_ERR_HANDLE);
  const Decomp same(system, layout);
  const bool differ = ranks_in() > 1;
  EXPECT_EQ(code(v, rank_in() == 0 ? decomp.get() : same.get()), differ ? SCORPIO_ERR_MISMATCH : SCORPIO_OK);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
