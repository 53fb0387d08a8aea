#include "session/parts.h"

#include <numeric>
#include <ostream>

#include "base/hash.h"
#include "codec/conversion.h"
#include "storage/atomic_commit.h"
#include "storage/faulty_store.h"
#include "storage/memory_store.h"

namespace scorpio::test {

namespace {

std::string text_of(const Case& one) {
  const bool asynchronous = one.shape.options.values().contains(Option::asynchronous);
  return fmt::format("{}_{}_{}_{}{}", one.format, one.shape.ranks, one.shape.nodes, one.shape.io_ranks,
                     asynchronous ? "_asynchronous" : "");
}

}  // namespace

std::string name_of(const testing::TestParamInfo<Case>& one) { return text_of(one.param); }

void PrintTo(const Case& one, std::ostream* out) { *out << text_of(one); }

std::vector<Case> cases(std::initializer_list<const char*> formats) {
  std::vector<Case> all;
  for (const char* format : formats) {
    for (const JobShape& shape : {k_one_rank, k_one_node, k_two_nodes}) all.push_back({format, shape});
    for (JobShape shape : {k_one_node, k_two_nodes}) {
      EXPECT_TRUE(shape.options.set("asynchronous", "true").ok());
      all.push_back({format, shape});
    }
  }
  return all;
}

std::vector<Case> asynchronous_cases(std::initializer_list<const char*> formats, const char* more,
                                     int io_ranks) {
  std::vector<Case> all;
  for (const Case& one : cases(formats)) {
    if (one.shape.options.values().contains(Option::asynchronous)) all.push_back(one);
  }
  for (const int ranks : {1, 7}) {
    JobShape shape{ranks, 1, ranks == 1 ? 1 : io_ranks};
    EXPECT_TRUE(shape.options.set("asynchronous", "true").ok());
    all.push_back({more, shape});
  }
  return all;
}

OptionSet options(const std::string& format, const std::vector<std::pair<std::string, std::string>>& more) {
  OptionSet all;
  EXPECT_TRUE(all.set("format", format).ok());
  for (const auto& [name, value] : more) EXPECT_TRUE(all.set(name, value).ok()) << name;
  return all;
}

FaultyJob::FaultyJob(const JobShape& shape, const std::string& faults)
    : ThreadJob(shape), inner_(storage::make_memory_store()) {
  plan(faults);
}

void FaultyJob::plan(const std::string& faults) {
  plan_ = storage::FaultPlan::parse(faults).value();
  set_store(storage::make_faulty_store(inner_, plan_));
}

void FaultyJob::fail(const ThreadSystem& system, const std::string& faults) {
  EXPECT_TRUE(system.comm().barrier().ok());
  if (system.rank() == 0) plan(faults);
  EXPECT_TRUE(system.comm().barrier().ok());
}

void drop(session::Core& core) {
  (void)core.transfer.channel().flush();
  EXPECT_TRUE(core.setting.comm().barrier().ok());
  if (core.metadata != nullptr) (void)core.metadata->close(false);
  core.metadata.reset();
  (void)core.transfer.data().close();
  core.close_channel();
}

int define(session::Core& core, const std::string& name, const std::vector<int64_t>& extents, bool filled) {
  model::Schema& schema = core.contents.schema();
  model::Variable variable;
  variable.path = name;
  variable.type = k_double;
  variable.filled = filled;
  for (const int64_t extent : extents) {
    const bool unlimited = extent < 0;
    const auto found = unlimited ? schema.dimensions().find("time") : std::nullopt;
    const std::string called = unlimited ? "time" : fmt::format("{}_{}", name, variable.dims.size());
    variable.dimensions.push_back(
        found ? *found : schema.add_dimension({called, unlimited ? 0 : extent, unlimited}).value());
    variable.dims.push_back(unlimited ? schema.dimensions().records() : extent);
  }
  EXPECT_TRUE(core.contents.layout().check_variable(schema, variable).ok());
  const int index = schema.add_variable(std::move(variable)).value();
  EXPECT_TRUE(core.contents.layout().place(schema, index).ok());
  return index;
}

void define_compressed(Defining& file, const std::string& name, int64_t extent) {
  session::Definitions& definitions = file.definitions;
  ASSERT_TRUE(definitions.define_dimension("dim_" + name, extent).ok());
  const int dimension = file.core->contents.schema().dimensions().count() - 1;
  ASSERT_TRUE(definitions.define_variable_on(name, k_double, {dimension}).ok());
  const int variable = file.core->contents.schema().variables().count() - 1;
  ASSERT_TRUE(definitions.define_chunks(variable, {extent}).ok());
  ASSERT_TRUE(definitions.define_filters(variable, {2, 1}, {0, 1}).ok());
}

void end_definitions(session::Core& core) {
  EXPECT_TRUE(core.contents.layout().end_definitions(core.contents.schema()).ok());
  if (core.calls.state().defining()) core.calls.state().happened(session::FileState::Event::end_definitions);
}

std::vector<double> numbers(size_t elements, double base) {
  std::vector<double> values(elements);
  std::iota(values.begin(), values.end(), base);
  return values;
}

std::unique_ptr<session::Decomposition> each(ThreadSystem& system, int64_t extent, int64_t step) {
  std::vector<int64_t> mine;
  for (int64_t i = system.rank() * step; i < extent; i += step * system.comm().size()) mine.push_back(i);
  auto made = session::Decomposition::create(system, decomp::map(std::vector<int64_t>{extent}, mine));
  EXPECT_TRUE(made.ok()) << made.status().text();
  return std::move(made).value();
}

std::vector<double> stored(session::Core& core, int variable, int64_t record) {
  EXPECT_TRUE(core.transfer.channel().flush().ok());
  EXPECT_TRUE(core.setting.comm().barrier().ok());
  auto values = stored_now(core, variable, record);
  EXPECT_TRUE(core.setting.comm().barrier().ok());
  return values;
}

std::vector<double> stored_now(session::Core& core, int index, int64_t record) {
  const model::Variable& variable = core.contents.schema().variables()[index];
  storage::Store& store = core.setting.system().store();
  const std::string temporary = storage::temporary_name(core.contents.path());
  const bool named = !store.exists(temporary).value();
  const auto file = store.open(named ? core.contents.path() : temporary, storage::OpenMode::read);
  EXPECT_TRUE(file.ok()) << file.status().text();
  std::vector<std::byte> bytes(variable.slab_bytes());
  EXPECT_TRUE(core.contents.layout().placement(index).has_address());
  EXPECT_TRUE((*file)->read_at(bytes, core.contents.layout().placement(index).address_of(record)).ok());
  std::vector<double> values(static_cast<size_t>(variable.slab_elements()));
  const auto conversion = codec::Conversion::make(variable.type, k_double);
  (void)conversion->apply(bytes.data(), reinterpret_cast<std::byte*>(values.data()), values.size());
  return values;
}

Code agreed(const ThreadSystem& system, const Status& status) {
  const std::vector<int64_t> mine{static_cast<int64_t>(status.code()),
                                  static_cast<int64_t>(fnv1a(status.text())), status.origin()};
  const auto all = system.comm().all_gather(mine);
  EXPECT_TRUE(all.ok()) << all.status().text();
  for (size_t i = 0; all.ok() && i < all->size(); ++i)
    EXPECT_EQ(mine[i % mine.size()], (*all)[i]) << "rank " << system.rank() << ": " << status.text();
  return status.code();
}

testing::AssertionResult mentions(const Status& status, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (status.text().find(word) == std::string::npos)
      return testing::AssertionFailure() << word << " is not in: " << status.text();
  }
  return testing::AssertionSuccess();
}

std::vector<std::byte> bytes_of(ThreadSystem& system, const std::string& path) {
  auto file = system.store().open(path, storage::OpenMode::read).value();
  std::vector<std::byte> bytes(file->size().value());
  EXPECT_EQ(bytes.size(), file->read_at(bytes, 0).value());
  return bytes;
}

}  // namespace scorpio::test
