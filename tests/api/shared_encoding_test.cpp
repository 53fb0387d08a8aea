// Chunks that waiting ranks encode and decode for the I/O ranks of their node (option shared_encoding): the
// file is the same, byte for byte, and so are data and failures of reads, as if each I/O rank had worked
// alone.
#include <bit>
#include <cstring>
#include <filesystem>
#include <thread>

#include "accesses.h"
#include "base/hash.h"
#include "random_draws.h"
#include "reference.h"
#include "stock_reader.h"
#include "support/resident_memory.h"
#include "support/whole_file.h"

namespace scorpio::api_test {
namespace {

constexpr int k_deflate = 1, k_shuffle = 2;

// A field that neither fits a filter perfectly nor is noise, different in each put.
float value(int64_t element, uint64_t put) {
  const auto n = static_cast<uint64_t>(element);
  return static_cast<float>(250 + n % 97) +
         static_cast<float>((n * 2654435761U + put * 40503U) >> 7 & 1023) / 1024;
}

// Encoded, it is longer.
float noise(int64_t element, uint64_t put) {
  return std::bit_cast<float>(static_cast<uint32_t>(mixed(static_cast<uint64_t>(element) * 4 + put)));
}

struct Field {
  int64_t rows, columns;
  int64_t chunk[2];
  int filters;  // 0: shuffle, deflate; 1: deflate
  int level;
  int rounded = 0;  // bits of the mantissa
  bool noise = false;
};

class Program {
 public:
  Program(std::vector<Field> fields, uint64_t seed) : fields_(std::move(fields)), seed_(seed) {}

  // What this rank gets of all fields, first of every second row and then of all.
  struct Got {
    std::vector<float> values;
    std::string failures;  // codes and texts
    uint64_t decoded = 0;  // for others
    bool operator==(const Got& other) const { return values == other.values && failures == other.failures; }
  };
  Got read(const std::string& path, Settings settings, bool shared) {
    settings.emplace_back("shared_encoding", shared ? "true" : "false");
    const System system(settings);
    Got got;
    const auto note = [&](int code) {
      if (code != SCORPIO_OK) got.failures += std::to_string(code) + " " + last_text() + "\n";
      return code == SCORPIO_OK;
    };
    if (!note(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file_))) return got;
    for (const bool all : {false, true}) {
      for (size_t i = 0; i < fields_.size(); ++i) {
        Part part(fields_[i], all);
        std::vector<float> data(part.elements());
        if (note(scorpio_get(file_, &part.access(static_cast<int>(i), data.data()))))
          got.values.insert(got.values.end(), data.begin(), data.end());
      }
    }
    note(scorpio_file_close(file_));
    got.decoded = system.sum("decoded_for_others");
    return got;
  }

  // Returns the number of chunks that were encoded for others.
  uint64_t run(const std::string& path, Settings settings, bool shared) {
    settings.emplace_back("shared_encoding", shared ? "true" : "false");
    const System system(settings);
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file_));
    for (size_t i = 0; i < fields_.size(); ++i) define(i);
    std::mt19937_64 random(seed_);
    for (uint64_t put = 1; put <= 3; ++put) {
      for (size_t i = 0; i < fields_.size(); ++i) this->put(i, put, random() % 3 != 0);
      if (random() % 2 != 0) continue;
      EXPECT_SUCCESS(scorpio_file_sync(file_));
    }
    EXPECT_SUCCESS(scorpio_file_close(file_));
    return system.sum("encoded_for_others");
  }

 private:
  void define(size_t i) const {
    const Field& field = fields_[i];
    const int64_t dims[2] = {field.rows, field.columns};
    const int filters[2] = {k_shuffle, k_deflate}, parameters[2] = {0, field.level};
    int id = -1;
    EXPECT_SUCCESS(
        scorpio_variable_define(file_, ("v" + std::to_string(i)).c_str(), SCORPIO_FLOAT32, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file_, id, field.chunk));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file_, id, 2 - field.filters, filters + field.filters,
                                                   parameters + field.filters));
    if (field.rounded == 0) return;
    EXPECT_SUCCESS(scorpio_variable_define_quantization(file_, id, SCORPIO_QUANTIZE_BITROUND, field.rounded));
  }

  // All columns of a rank, of all rows or of every second one.
  struct Part {
    Part(const Field& field, bool all) : step(all ? 1 : 2) {
      const int64_t width = field.columns / ranks_in();
      start[1] = width * rank_in();
      count[0] = (field.rows + step - 1) / step;
      count[1] = rank_in() + 1 == ranks_in() ? field.columns - start[1] : width;
      stride[0] = step;
    }
    size_t elements() const { return static_cast<size_t>(count[0] * count[1]); }
    const scorpio_access& access(int variable, float* data) {
      made = scorpio_hyperslab(variable, start, count, SCORPIO_FLOAT32, data);
      made.stride = stride;
      return made;
    }
    int64_t step;
    int64_t start[2] = {0, 0}, count[2], stride[2] = {1, 1};
    scorpio_access made{};
  };

  void put(size_t i, uint64_t put, bool all) const {
    const Field& field = fields_[i];
    Part part(field, all);
    std::vector<float> data;
    for (int64_t row = 0; row < part.count[0]; ++row) {
      for (int64_t column = 0; column < part.count[1]; ++column)
        data.push_back(
            (field.noise ? noise : value)(row * part.step * field.columns + part.start[1] + column, put));
    }
    EXPECT_SUCCESS(scorpio_put(file_, &part.access(static_cast<int>(i), data.data())));
  }

  std::vector<Field> fields_;
  uint64_t seed_;
  scorpio_file* file_ = nullptr;
};

// Each rank that encodes has a CPU.
bool others_can_help() { return ranks_in() > 1 && std::thread::hardware_concurrency() > 1; }

// One I/O rank has 16 chunks of 256 KiB, and the others wait for it in close. A machine that does other
// things may give them no time, but not each time.
TEST(SharedEncoding, WaitingRanksEncode) {
  const TemporaryFolder folder;
  Program program({{16, 65536, {1, 65536}, 0, 6}}, 1);
  const Settings settings{{"io_ranks", "1"}};
  EXPECT_EQ(0U, program.run(folder / "alone.h5", settings, false));
  uint64_t helped = 0;
  for (int i = 0; i < 10 && helped == 0; ++i) {
    helped = program.run(folder / "shared.h5", settings, true);
    EXPECT_EQ(test::whole_file(folder / "alone.h5"), test::whole_file(folder / "shared.h5"));
    if (!others_can_help()) break;
  }
  EXPECT_EQ(others_can_help(), helped > 0) << helped;
}

TEST(SharedEncoding, ChunksOfNoiseAreEncodedByOthers) {
  const TemporaryFolder folder;
  Program program({{16, 65536, {1, 65536}, 1, 6, 0, true}}, 1);
  const Settings settings{{"io_ranks", "1"}};
  program.run(folder / "alone.h5", settings, false);
  uint64_t helped = 0;
  for (int i = 0; i < 10 && helped == 0; ++i) {
    helped = program.run(folder / "shared.h5", settings, true);
    EXPECT_EQ(test::whole_file(folder / "alone.h5"), test::whole_file(folder / "shared.h5"));
    if (!others_can_help()) break;
  }
  EXPECT_GT(test::whole_file(folder / "alone.h5").size(), size_t{16} * 65536 * 4);
  EXPECT_EQ(others_can_help(), helped > 0) << helped;
}

// The chunk at the end of the rows has padding behind each part of a row; there is one chunk beside it.
TEST(SharedEncoding, ChunksWithPaddingAreEncodedByOthers) {
  const TemporaryFolder folder;
  Program program({{16, 10000, {16, 7500}, 0, 9}}, 1);
  const Settings settings{{"io_ranks", "1"}};
  program.run(folder / "alone.h5", settings, false);
  uint64_t helped = 0;
  for (int i = 0; i < 20 && helped == 0; ++i) {
    helped = program.run(folder / "shared.h5", settings, true);
    EXPECT_EQ(test::whole_file(folder / "alone.h5"), test::whole_file(folder / "shared.h5"));
    if (!others_can_help()) break;
  }
  EXPECT_EQ(others_can_help(), helped > 0) << helped;
}

TEST(SharedEncoding, WaitingRanksDecode) {
  const TemporaryFolder folder;
  for (const int filters : {0, 1}) {
    Program program({{16, 65536, {1, 65536}, filters, 6}}, 1);
    const Settings settings{{"io_ranks", "1"}};
    program.run(folder / "a.h5", settings, false);
    const Program::Got alone = program.read(folder / "a.h5", settings, false);
    EXPECT_EQ("", alone.failures);
    EXPECT_EQ(0U, alone.decoded);
    uint64_t helped = 0;
    for (int i = 0; i < 10 && helped == 0; ++i) {
      const Program::Got got = program.read(folder / "a.h5", settings, true);
      EXPECT_TRUE(alone == got) << got.failures;
      helped = got.decoded;
      if (!others_can_help()) break;
    }
    EXPECT_EQ(others_can_help(), helped > 0) << helped;
  }
}

// Whoever finds that a chunk is damaged: code and text are the same on all ranks.
TEST(SharedEncoding, DamagedChunks) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  const Settings settings{{"io_ranks", "1"}};
  int failures = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Program program({{16, 65536, {1, 65536}, static_cast<int>(seed % 2), 3}}, seed);
    program.run(path, settings, false);
    if (rank_in() == 0) {
      std::mt19937_64 random(seed);
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      const auto bytes = std::filesystem::file_size(path);
      for (uint64_t n = 1 + random() % 3; n > 0; --n) {
        file.seekp(static_cast<std::streamoff>(bytes / 4 + random() % (bytes / 2)));
        for (int i = 0; i < 4; ++i) file.put(static_cast<char>(random()));
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Program::Got alone = program.read(path, settings, false), got = program.read(path, settings, true);
    EXPECT_TRUE(alone == got) << alone.failures << "and with others\n" << got.failures;
    EXPECT_TRUE(equal_on_all(got.failures));
    if (got.failures.empty()) continue;
    ++failures;
    EXPECT_NE(std::string::npos, got.failures.find("chunk (")) << got.failures;
    EXPECT_NE(std::string::npos, got.failures.find("/v0 of " + path)) << got.failures;
  }
  EXPECT_LT(3, failures);
}

// A read fails while other ranks have chunks: the failure is returned, and what is read next is right.
TEST(SharedEncoding, AReadFails) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  Program program({{16, 65536, {1, 65536}, 0, 3}}, 1);
  program.run(path, {{"io_ranks", "1"}}, false);
  int failures = 0;
  for (int n = 1; n < 16; ++n) {
    const Settings settings{
        {"io_ranks", "1"}, {"staging_bytes", "4m"}, {"store_faults", "read:" + std::to_string(n) + "=EIO"}};
    const Program::Got alone = program.read(path, settings, false), got = program.read(path, settings, true);
    EXPECT_TRUE(alone == got) << alone.failures << "and with others\n" << got.failures;
    EXPECT_TRUE(equal_on_all(got.failures));
    failures += got.failures.empty() ? 0 : 1;
  }
  EXPECT_LT(2, failures);
}

TEST(SharedEncoding, TheFileIsTheSame) {
  const TemporaryFolder folder;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
    std::vector<Field> fields;
    for (int64_t i = 1 + below(3); i > 0; --i) {
      const int64_t rows = 1 + below(24), columns = 512 + below(4096);
      const int64_t part = below(2) == 0 ? columns : 1 + below(columns);
      fields.push_back({rows,
                        columns,
                        {1 + below(std::min<int64_t>(rows, 8)), part},
                        static_cast<int>(below(2)),
                        static_cast<int>(1 + below(6)),
                        static_cast<int>(below(3) == 0 ? 5 + below(10) : 0)});
    }
    Settings settings = random_io_ranks(random, ranks_in());
    const char* staging[] = {"1m", "4m", "16m"};
    settings.insert(settings.end(), {{"nodes", std::to_string(1 + below(2) * (ranks_in() > 1 ? 1 : 0))},
                                     {"staging_bytes", staging[below(3)]},
                                     {"staging_files", std::to_string(below(3))},
                                     {"chunk_bytes", below(2) == 0 ? "256k" : "64m"},
                                     {"asynchronous", below(3) == 0 ? "true" : "false"}});
    Program program(fields, seed);
    program.run(folder / "alone.h5", settings, false);
    program.run(folder / "shared.h5", settings, true);
    EXPECT_EQ(test::whole_file(folder / "alone.h5"), test::whole_file(folder / "shared.h5"))
        << "seed " << seed;
    const Program::Got alone = program.read(folder / "alone.h5", settings, false);
    EXPECT_EQ("", alone.failures);
    EXPECT_TRUE(alone == program.read(folder / "shared.h5", settings, true)) << "seed " << seed;
  }
}

// A write fails while other ranks have chunks of the file: the failure is returned, and the next file is
// right.
TEST(SharedEncoding, AWriteFails) {
  const TemporaryFolder folder;
  const System system({{"io_ranks", "1"},
                       {"staging_bytes", "4m"},
                       {"chunk_bytes", "64k"},
                       {"store_faults", "write:2=ENOSPC"}});
  const int64_t dims[2] = {64, 8192}, chunk[2] = {1, 8192};
  const int filter = k_deflate, level = 6;
  for (const bool fails : {true, false}) {
    scorpio_file* file = nullptr;
    int id = -1;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / (fails ? "a.h5" : "b.h5")).c_str(),
                                       SCORPIO_FORMAT_HDF5, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT32, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, id, chunk));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file, id, 1, &filter, &level));
    std::vector<float> data;
    const int64_t start[2] = {rank_in(), 0}, stride[2] = {ranks_in(), 1};
    const int64_t count[2] = {(dims[0] - rank_in() + ranks_in() - 1) / ranks_in(), dims[1]};
    for (int64_t i = 0; i < count[0] * count[1]; ++i) data.push_back(value(i, 1));
    scorpio_access access = scorpio_hyperslab(id, start, count, SCORPIO_FLOAT32, data.data());
    access.stride = stride;
    EXPECT_SUCCESS(scorpio_put(file, &access));
    const int closed = scorpio_file_close(file);
    EXPECT_EQ(fails ? SCORPIO_ERR_NO_SPACE : SCORPIO_OK, closed);
    EXPECT_EQ(!fails, std::filesystem::exists(folder / (fails ? "a.h5" : "b.h5")));
  }
}

// A chunk of 2 MiB that the program asks for: no slot has all of it, and one rank encodes it, with more
// memory than the options give, which is said.
TEST(SharedEncoding, LongChunksAreEncodedByTheIoRankAlone) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  const Settings settings{{"io_ranks", "1"}, {"staging_bytes", "1m"}, {"chunk_bytes", "3m"}};
  const System system(settings);
  const int64_t dims[2] = {12, 131072}, chunk[2] = {4, 131072}, short_chunk[2] = {1, 4096};
  const int filters[2] = {k_shuffle, k_deflate}, levels[2] = {0, 1};
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
  int ids[2] = {-1, -1};
  for (const int i : {0, 1}) {
    const std::string name = "v" + std::to_string(i);
    EXPECT_SUCCESS(scorpio_variable_define(file, name.c_str(), SCORPIO_FLOAT32, 2, dims, &ids[i]));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, ids[i], i == 0 ? chunk : short_chunk));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file, ids[i], 2, filters, levels));
  }
  const Layout rows = uniform_layout({dims[0], dims[1]}, ranks_in());
  const Decomp by_rows(system, rows);
  std::vector<float> data;
  for (const int64_t element : rows.of(rank_in())) data.push_back(value(element, 1));
  const auto explained = [&](int variable) {
    std::vector<char> text(8192);
    size_t length = 0;
    EXPECT_SUCCESS(
        scorpio_explain_darray(file, variable, by_rows.get(), 0, text.data(), text.size(), &length));
    return std::string(text.data());
  };
  for (const int id : ids) {
    EXPECT_SUCCESS(scorpio_put_darray(file, id, by_rows.get(), 0, SCORPIO_FLOAT32, data.data()));
  }
  const std::string long_one = explained(ids[0]), short_one = explained(ids[1]);
  const std::string text =
      "an I/O rank alone, because a chunk is longer than a slot; it takes 4 MiB beside the chunk, which is "
      "more than option "
      "chunk_bytes";
  EXPECT_NE(std::string::npos, long_one.find("\nencoding: " + text + ";")) << long_one;
  EXPECT_NE(std::string::npos, short_one.find("\nencoding: an I/O rank ")) << short_one;
  EXPECT_NE(std::string::npos, short_one.find("takes 32 KiB beside the chunk; ")) << short_one;
  const std::string note =
      "note: " + path + ": chunks of variable /v0 (4, 131072) are encoded by " + text + "\n";
  EXPECT_EQ(rank_in() == 0, system.describe().find(note) != std::string::npos) << system.describe();
  EXPECT_SUCCESS(scorpio_file_close(file));
  EXPECT_EQ(std::string::npos, system.describe().find("/v1 ")) << system.describe();
  if (rank_in() == 0) {
    const auto stored = stock_elements<float>(path, "v0");
    ASSERT_EQ(static_cast<size_t>(dims[0] * dims[1]), stored.size());
    for (size_t i = 0; i < stored.size(); ++i) ASSERT_EQ(value(static_cast<int64_t>(i), 1), stored[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// A long chunk is assembled and encoded by the I/O rank: it takes its own bytes and as many again. While a
// part of it is put once more the bytes of this part are added and, if the encoded chunk is longer than the
// chunk, these.
TEST(SharedEncoding, LongChunksTakeTwiceTheirMemory) {
  if (!test::k_memory_is_comparable) GTEST_SKIP();
  constexpr int64_t k_elements = 15 * (1 << 20);  // of 1, 3 or 5 ranks
  constexpr int64_t k_bytes = k_elements * 4;
  const int filters[2] = {k_shuffle, k_deflate}, levels[2] = {0, 1};
  const TemporaryFolder folder;
  const System system({{"io_ranks", "1"}, {"staging_bytes", "2m"}});
  for (const bool is_noise : {false, true}) {
    scorpio_file* file = nullptr;
    int v = -1;
    const std::string path = folder / (is_noise ? "noise.h5" : "field.h5");
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT32, 1, &k_elements, &v));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, v, &k_elements));
    EXPECT_SUCCESS(scorpio_variable_define_filters(file, v, 2, filters, levels));
    std::vector<float> data, got;
    const int64_t share = k_elements / ranks_in(), start = share * rank_in();
    for (int64_t g = start; g < start + share; ++g) data.push_back((is_noise ? noise : value)(g, 1));
    const int64_t all = share, half = share / 2;
    EXPECT_SUCCESS(scorpio_file_sync(file));
    for (const int64_t* count : {&all, &half}) {
      const scorpio_access access = scorpio_hyperslab(v, &start, count, SCORPIO_FLOAT32, data.data());
      const test::ResidentMemory memory;
      EXPECT_SUCCESS(scorpio_put(file, &access));
      EXPECT_SUCCESS(scorpio_file_sync(file));
      const double chunks = static_cast<double>(memory.peak()) / k_bytes;
      if (rank_in() == 0) {
        EXPECT_LE(chunks, count == &all ? 2.2 : is_noise ? 4.2 : 3.2) << is_noise;
      }
    }
    got.resize(data.size());
    const scorpio_access access = scorpio_hyperslab(v, &start, &all, SCORPIO_FLOAT32, got.data());
    EXPECT_SUCCESS(scorpio_get(file, &access));
    EXPECT_EQ(0, std::memcmp(data.data(), got.data(), data.size() * sizeof(float)));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

}  // namespace
}  // namespace scorpio::api_test
