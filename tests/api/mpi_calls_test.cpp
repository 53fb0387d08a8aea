// What the headers promise of communication where no counter of the library tells it: this program counts the
// calls of MPI. What a reduction needs is the library's affair; it is counted as "agreements".
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

#include "accesses.h"
#include "layout.h"

namespace {

struct Calls {
  int duplicates = 0, splits = 0, reductions = 0, gathers = 0, exchanges = 0, broadcasts = 0, messages = 0;
  int all() const { return duplicates + splits + reductions + gathers + exchanges + broadcasts + messages; }
};
Calls g_calls;

}  // namespace

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++g_calls.duplicates;
  return PMPI_Comm_dup(comm, copy);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++g_calls.splits;
  return PMPI_Comm_split(comm, color, key, part);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++g_calls.splits;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}
int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++g_calls.reductions;
  return PMPI_Allreduce(from, to, n, type, op, comm);
}
int MPI_Iallreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  ++g_calls.reductions;
  return PMPI_Iallreduce(from, to, n, type, op, comm, request);
}
int MPI_Allgather(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other,
                  MPI_Comm comm) {
  ++g_calls.gathers;
  return PMPI_Allgather(from, n, type, to, m, other, comm);
}
int MPI_Iallgather(const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other,
                   MPI_Comm comm, MPI_Request* request) {
  ++g_calls.gathers;
  return PMPI_Iallgather(from, n, type, to, m, other, comm, request);
}
int MPI_Ialltoallv(const void* from, const int* n, const int* at, MPI_Datatype type, void* to, const int* m,
                   const int* to_at, MPI_Datatype other, MPI_Comm comm, MPI_Request* request) {
  ++g_calls.exchanges;
  return PMPI_Ialltoallv(from, n, at, type, to, m, to_at, other, comm, request);
}
int MPI_Ibcast(void* bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  ++g_calls.broadcasts;
  return PMPI_Ibcast(bytes, n, type, root, comm, request);
}
int MPI_Alltoallv(const void* from, const int* n, const int* at, MPI_Datatype type, void* to, const int* m,
                  const int* to_at, MPI_Datatype other, MPI_Comm comm) {
  ++g_calls.exchanges;
  return PMPI_Alltoallv(from, n, at, type, to, m, to_at, other, comm);
}
int MPI_Bcast(void* bytes, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  ++g_calls.broadcasts;
  return PMPI_Bcast(bytes, n, type, root, comm);
}
int MPI_Isend(const void* bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++g_calls.messages;
  return PMPI_Isend(bytes, n, type, to, tag, comm, request);
}

}  // extern "C"

namespace scorpio::api_test {
namespace {

Calls calls_of(const std::function<void()>& body) {
  g_calls = {};
  body();
  return g_calls;
}

class MpiCalls : public testing::TestWithParam<const char*> {
 protected:
  // Agreements of one call that makes a decomposition, and what else it sends.
  std::pair<uint64_t, Calls> cost_of(const std::function<int(scorpio_decomp**)>& make) {
    scorpio_decomp* made = nullptr;
    const uint64_t before = system_.counter("agreements");
    const Calls calls = calls_of([&] { EXPECT_SUCCESS(make(&made)); });
    const uint64_t agreements = system_.counter("agreements") - before;
    EXPECT_SUCCESS(scorpio_decomp_free(made));
    return {agreements, calls};
  }
  static int nodes() { return std::min(std::atoi(GetParam()), ranks_in()); }
  // `covers`: the ranks hold each element of the array once. On one node the second agreement tells it.
  // Otherwise the leaders of the nodes exchange what their nodes hold; ranks that are no leaders get it from
  // theirs.
  void expect_cost(const std::pair<uint64_t, Calls>& cost, bool covers) {
    const Calls& calls = cost.second;
    EXPECT_EQ(2u, cost.first);
    EXPECT_EQ(calls.reductions + calls.messages, calls.all());
    const bool by_sum = nodes() == 1 && covers;
    EXPECT_LE(by_sum || ranks_in() == 1 ? 0 : 1, calls.messages);
    EXPECT_GE(by_sum ? 0 : most_messages_through_leaders(), calls.messages);
  }
  // Each list goes in one message, for which an empty one comes back: to the leader, who gets one from each
  // rank of the node, among leaders and back along a tree, and along a tree to the ranks.
  static int most_messages_through_leaders() { return ranks_in() - 1 + 3 * digits_of(ranks_in()); }
  static int digits_of(int ranks) {
    int digits = 0;
    while (1 << digits < ranks) ++digits;
    return digits;
  }

  const TemporaryFolder folder_;
  const Settings settings_{{"nodes", GetParam()}};
  const System system_{settings_};
};

INSTANTIATE_TEST_SUITE_P(Nodes, MpiCalls, testing::Values("1", "2"),
                         [](const auto& nodes) { return "On" + std::string(nodes.param); });

TEST_P(MpiCalls, OfAnIoSystem) {
  const OptionList options(settings_);
  scorpio_iosystem* system = nullptr;
  const Calls making =
      calls_of([&] { EXPECT_SUCCESS(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system)); });
  EXPECT_EQ(2, making.duplicates);
  EXPECT_LE(making.splits, 3);
  EXPECT_EQ(0, making.exchanges);
  const Calls freeing = calls_of([&] { EXPECT_SUCCESS(scorpio_iosystem_free(system)); });
  EXPECT_EQ(freeing.reductions, freeing.all());
}

TEST_P(MpiCalls, OfDecompositions) {
  const int64_t dims[] = {4 * ranks_in(), 6}, start[] = {4 * rank_in(), 0}, count[] = {4, 6};
  const auto block = cost_of([&](scorpio_decomp** made) {
    return scorpio_decomp_block(system_.get(), 2, dims, start, count, made);
  });
  expect_cost(block, true);
  expect_cost(
      cost_of([&](scorpio_decomp** made) { return scorpio_decomp_uniform(system_.get(), 2, dims, made); }),
      true);
  expect_cost(
      cost_of([&](scorpio_decomp** made) { return scorpio_decomp_rows(system_.get(), 2, dims, 3, made); }),
      false);
  // Every other element belongs to one rank, the others to another.
  std::vector<int64_t> mine;
  for (int64_t i = rank_in(); i < dims[0]; i += ranks_in()) mine.push_back(i);
  const auto by_map = cost_of([&](scorpio_decomp** made) {
    return scorpio_decomp_map(system_.get(), 1, dims, static_cast<int64_t>(mine.size()), mine.data(), made);
  });
  expect_cost(by_map, true);
  scorpio_decomp* rows = nullptr;
  EXPECT_SUCCESS(scorpio_decomp_uniform(system_.get(), 2, dims, &rows));
  const int64_t extents[] = {6, 8};
  const auto in_memory = cost_of([&](scorpio_decomp** made) {
    return scorpio_decomp_memory(system_.get(), rows, 2, extents, nullptr, nullptr, made);
  });
  EXPECT_EQ(1u, in_memory.first);
  EXPECT_EQ(in_memory.second.reductions, in_memory.second.all());
  EXPECT_SUCCESS(scorpio_decomp_free(rows));
}

// All ranks hold two elements, and each has one alone: lists of runs, of what is lost, and of what is held go
// to as many partners as the number of ranks has binary digits. Nothing goes to or comes from all ranks.
TEST_P(MpiCalls, OfMapsThatOverlap) {
  const int64_t dims[] = {8 * ranks_in() + 3}, mine[] = {0, 1, 7 + 3 * rank_in()};
  const auto cost = cost_of(
      [&](scorpio_decomp** made) { return scorpio_decomp_map(system_.get(), 1, dims, 3, mine, made); });
  EXPECT_EQ(ranks_in() == 1 ? 2u : 4u, cost.first);
  EXPECT_LE(cost.second.messages, 3 * digits_of(ranks_in()) + most_messages_through_leaders());
  EXPECT_LE(ranks_in() == 1 ? 0 : 3, cost.second.messages);
  EXPECT_EQ(cost.second.reductions + cost.second.messages, cost.second.all());
}

// Definitions, inquiry, requests: one after the other.
void make_local_calls(scorpio_file* file, scorpio_file* other, scorpio_decomp* rows, double* data) {
  int x = -1, v = -1, id = 0, done = 0;
  const int64_t zero = 0, one = 1;
  EXPECT_SUCCESS(scorpio_dimension_define(file, "x", 4 * ranks_in(), &x));
  EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 1, &x, &v));
  EXPECT_SUCCESS(scorpio_variable_rename(file, v, "w"));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file, v, 1, nullptr));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, v, "units", "m"));
  EXPECT_SUCCESS(scorpio_attribute_copy(file, v, "units", other, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_attribute_rename(file, v, "units", "unit"));
  EXPECT_SUCCESS(scorpio_variable_find(file, "w", &id));
  EXPECT_SUCCESS(scorpio_object_find(file, "w", nullptr, &id));
  EXPECT_SUCCESS(scorpio_group_count(file, SCORPIO_GLOBAL, &id));
  EXPECT_SUCCESS(scorpio_file_inquire(file, nullptr, nullptr, &id));
  EXPECT_SUCCESS(scorpio_buffer_attach(file, 1000));
  scorpio_request request = SCORPIO_REQUEST_NULL;
  EXPECT_SUCCESS(iput(file, scorpio_darray(v, rows, 0, SCORPIO_FLOAT64, data), &request));
  EXPECT_SUCCESS(bput(file, scorpio_hyperslab(v, &zero, &one, SCORPIO_FLOAT64, data)));
  EXPECT_SUCCESS(iget(file, scorpio_hyperslab(v, &zero, &one, SCORPIO_FLOAT64, data)));
  EXPECT_SUCCESS(scorpio_test(file, 1, &request, &done));
  EXPECT_SUCCESS(scorpio_cancel(file, SCORPIO_ALL_REQUESTS, nullptr));
}

TEST_P(MpiCalls, OfLocalCalls) {
  const int64_t extent = 4 * ranks_in();
  scorpio_decomp* rows = nullptr;
  EXPECT_SUCCESS(scorpio_decomp_uniform(system_.get(), 1, &extent, &rows));
  std::array<double, 4> data{};
  for (const scorpio_format format : {SCORPIO_FORMAT_HDF5, SCORPIO_FORMAT_CDF5}) {
    std::array<scorpio_file*, 2> files{};
    for (scorpio_file*& file : files) {
      const std::string name = &file == files.data() ? "file" : "other";
      EXPECT_SUCCESS(scorpio_file_create(system_.get(), (folder_ / name).c_str(), format, nullptr, &file));
    }
    const uint64_t agreements = system_.counter("agreements"), opens = system_.counter("opens");
    const Calls calls = calls_of([&] { make_local_calls(files[0], files[1], rows, data.data()); });
    EXPECT_EQ(0, calls.all());
    EXPECT_EQ(agreements, system_.counter("agreements"));
    EXPECT_EQ(opens, system_.counter("opens"));
    for (scorpio_file* file : files) EXPECT_SUCCESS(scorpio_file_close(file));
  }
  EXPECT_EQ(0, calls_of([&] { EXPECT_SUCCESS(scorpio_decomp_free(rows)); }).all());
}

// One open each, of the metadata rank; a mirror needs the descriptors of the other I/O ranks.
TEST_P(MpiCalls, OfFiles) {
  const auto expect = [&](const char* name, uint64_t agreements, uint64_t opens,
                          const std::function<int()>& call) {
    SCOPED_TRACE(name);
    const uint64_t before = system_.counter("agreements"), opened = system_.sum("opens");
    MPI_Barrier(MPI_COMM_WORLD);
    const Calls calls = calls_of([&] { EXPECT_SUCCESS(call()); });
    EXPECT_EQ(agreements, system_.counter("agreements") - before);
    EXPECT_EQ(opens, system_.sum("opens") - opened);
    EXPECT_EQ(0, calls.gathers + calls.exchanges + calls.messages + calls.duplicates + calls.splits);
  };
  const std::string path = folder_ / "file";
  scorpio_file* file = nullptr;
  int v = -1;
  const int64_t extent = 4;
  expect("create", 1, 1, [&] {
    return scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_CDF5, nullptr, &file);
  });
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, &extent, &v));
  expect("end", 1, 0, [&] { return scorpio_define_end(file); });
  expect("begin", 2, 0, [&] { return scorpio_define_begin(file); });
  expect("end", 1, 0, [&] { return scorpio_define_end(file); });
  expect("sync", 1, 0, [&] { return scorpio_file_sync(file); });
  expect("close", 2, 0, [&] { return scorpio_file_close(file); });
  expect("open", 2, 1,
         [&] { return scorpio_file_open(system_.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file); });
  EXPECT_SUCCESS(scorpio_file_close(file));
  const OptionList eager(Settings{{"eager", "true"}});
  EXPECT_SUCCESS(scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_HDF5, eager.get(), &file));
  const auto others = static_cast<uint64_t>(system_.io_ranks() - 1);
  for (const uint64_t opens : {others, uint64_t{0}})
    expect("mirror", others == 0 ? 1 : 2, opens, [&] { return scorpio_file_mirror(file); });
  EXPECT_EQ(0, calls_of([&] { EXPECT_SUCCESS(scorpio_file_finish(file)); }).all());
  EXPECT_SUCCESS(scorpio_file_close(file));
}

}  // namespace
}  // namespace scorpio::api_test
