#include "io_system.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/limited_waits.h"
#include "common/option_set.h"
#include "failure.h"

namespace scorpio2012 {

namespace {

// The number of layouts that are kept: those of a few meshes and of the fields on them.
constexpr size_t k_known_layouts = 8;  // at most 64: each has a bit

uint64_t bit_of(int64_t number) { return uint64_t{1} << (number % 64); }

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

uint64_t IoSystem::numbers_of(const Layout& layout) const {
  uint64_t numbers = 0;
  for (const Known& known : known_) numbers |= known.layout == layout ? bit_of(known.number) : 0;
  return numbers;
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
  // The numbers that some rank does not have for its layout, and whether some rank has none.
  std::array<uint64_t, 2> facts{~(layout ? numbers_of(*layout) : 0), layout ? uint64_t{0} : uint64_t{1}};
  if (scorpio_compat::all_reduce(facts.data(), static_cast<int>(facts.size()), MPI_UINT64_T, MPI_BOR,
                                 comm_) != MPI_SUCCESS)
    return nullptr;
  if (facts[1] != 0) {
    fail("the part of a rank does not fit the dataset, its buffer is NULL, or it has no memory");
    return nullptr;
  }
  const auto same = std::find_if(known_.begin(), known_.end(), [&facts](const Known& known) {
    return (facts[0] & bit_of(known.number)) == 0;
  });
  if (same != known_.end()) return same->decomposition;
  Decomposition made = make(*layout);
  if (made == nullptr || !keep) return made;
  known_.push_back({++made_, *layout, made});
  if (known_.size() > k_known_layouts) known_.pop_front();
  return made;
}

}  // namespace scorpio2012
