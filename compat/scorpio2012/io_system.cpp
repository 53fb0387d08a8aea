#include "io_system.h"

#include <algorithm>

#include "common/compared_words.h"
#include "common/limited_waits.h"
#include "common/option_set.h"
#include "failure.h"

namespace scorpio2012 {

namespace {

// The number of layouts that are kept: those of a few meshes and of the fields on them.
constexpr size_t k_known_layouts = 8;

void set_options(scorpio_compat::OptionSet& options, const IoSettings& settings) {
  options.set("io_placement", "groups");
  options.set("group_size", std::to_string(settings.group_size));
  options.set("eager", "true");
  options.set("text_padding", "nullterm");
  if (settings.buffer_bytes.empty()) return;
  // A program that sets a buffer size means the buffer of one file, and expects large writes; copying and
  // writing then do not overlap.
  options.set("gather_writes", "true");
  options.set("staging_bytes", settings.buffer_bytes);
  options.set("staging_files", "1");
}

}  // namespace

std::shared_ptr<IoSystem> IoSystem::create(MPI_Comm comm, const IoSettings& settings) {
  scorpio_compat::OptionSet options;
  set_options(options, settings);
  scorpio_iosystem* native = nullptr;
  // A failure of the options is one on all ranks, because the settings are equal.
  if (options.code() != SCORPIO_OK || scorpio_iosystem_create(comm, options.get(), &native) != SCORPIO_OK) {
    fail_natively();
    return nullptr;
  }
  scorpio_compat::wait_as_long_as(native, comm);
  return std::shared_ptr<IoSystem>(new IoSystem(comm, settings, native));
}

void IoSystem::free() {
  known_.clear();
  (void)scorpio_iosystem_free(native_);
  native_ = nullptr;
}

bool IoSystem::several_roots() const {
  int count = 0;
  return scorpio_iosystem_io_ranks(native_, &count, nullptr) == SCORPIO_OK && count > 1;
}

int64_t IoSystem::known_number(const Layout& layout) const {
  const auto at =
      std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.layout == layout; });
  return at == known_.end() ? 0 : at->number;
}

Decomposition IoSystem::make(const Layout& layout) const {
  const int ndims = static_cast<int>(layout.dims.size());
  const int64_t* dims = layout.dims.data();
  scorpio_decomp* made = nullptr;
  int code = SCORPIO_OK;
  switch (layout.kind) {
    case Layout::Kind::rows:
      code = scorpio_decomp_rows(native_, ndims, dims, layout.count[0], &made);
      break;
    case Layout::Kind::block:
      code = scorpio_decomp_block(native_, ndims, dims, layout.start.data(), layout.count.data(), &made);
      break;
    case Layout::Kind::list:
      code = scorpio_decomp_map(native_, ndims, dims, layout.list.n, layout.list.index.get(), &made);
      break;
  }
  if (code != SCORPIO_OK) {
    fail_natively();
    return nullptr;
  }
  return {made, [](scorpio_decomp* decomp) { (void)scorpio_decomp_free(decomp); }};
}

Decomposition IoSystem::decomposition(const std::optional<Layout>& layout, bool keep) {
  const auto number = static_cast<uint64_t>(layout ? known_number(*layout) : 0);
  scorpio_compat::ComparedWords<3> facts;
  facts.compare(0, number);
  facts[2] = layout ? 0 : 1;
  if (scorpio_compat::all_reduce(facts.data(), facts.count(), MPI_UINT64_T, MPI_MAX, comm_) != MPI_SUCCESS)
    return nullptr;
  if (facts[2] != 0) {
    fail("the part of a rank does not fit the dataset, or its buffer is NULL");
    return nullptr;
  }
  if (number != 0 && facts.all_equal(0)) {
    const auto same = [&](const Known& known) { return known.number == static_cast<int64_t>(number); };
    return std::find_if(known_.begin(), known_.end(), same)->decomposition;
  }
  Decomposition made = make(*layout);
  if (made == nullptr || !keep) return made;
  known_.push_back({++made_, *layout, made});
  if (known_.size() > k_known_layouts) known_.pop_front();
  return made;
}

}  // namespace scorpio2012
