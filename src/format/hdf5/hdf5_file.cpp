#include "format/hdf5/hdf5_file.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "format/hdf5/chunk_index.h"
#include "format/hdf5/dimension_table.h"
#include "format/hdf5/driver.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/file_lock.h"
#include "format/hdf5/growth.h"
#include "format/hdf5/held_space.h"
#include "format/hdf5/image.h"
#include "format/hdf5/library_call.h"
#include "format/hdf5/loader.h"
#include "format/hdf5/metadata_cache.h"
#include "format/hdf5/open_file.h"
#include "format/hdf5/schema_writer.h"
#include "format/hdf5/string_elements.h"

namespace scorpio::format {
namespace {

using namespace hdf5;  // NOLINT(google-build-using-namespace): this file is the interface of the folder

constexpr const char* k_paged =
    "HDF5 gives space in this file by pages (H5F_FSPACE_STRATEGY_PAGE), where chunks that are written by "
    "several ranks have no place; copy it by h5repack -S FSM_AGGR, and add to the copy";

class Hdf5File final : public MetadataFile {
 public:
  explicit Hdf5File(std::shared_ptr<Image> image) : open_(std::move(image)) {}
  ~Hdf5File() override {
    if (!image().closed()) static_cast<void>(close());
  }

  Status open() {
    const LibraryCall call;
    const Status opened = open_.ensure();
    // A failure of the storage is not a damaged file.
    const Status cause = image().take_failure();
    if (!opened.ok()) return cause.ok() ? opened : cause.with_context(opened.text());
    paged_ = is_paged();
    return {};
  }

  Result<Contents> load() override {
    const LibraryCall call;
    SCORPIO_TRY(open_.ensure());
    const bool eager = image().options().eager;
    // Where nothing can grow, variables keep the simpler form without records.
    const Growing growing = eager                 ? Growing::none
                            : !image().writable() ? Growing::read
                            : paged_              ? Growing::named
                                                  : Growing::all;
    SCORPIO_ASSIGN(Contents contents, known(load_contents(open_.id(), dimensions_, growing)));
    if (!contents.format.empty()) image().set_netcdf4();
    if (image().writable() && paged_) leave_chunks_to_library(contents);
    if (image().writable()) leave_many_chunks_to_library(contents);
    if (image().writable() && !eager) leave_other_names_to_library(contents);
    return contents;
  }

  Status apply(model::Schema& schema, Placements& placements, uint64_t end_of_data) override {
    const LibraryCall call;
    if (!image().writable()) return failure(Code::read_only, "{} was opened for reading", image().name());
    SCORPIO_TRY(open_.ensure());
    image().space().raise_data_end(end_of_data);
    SCORPIO_TRY(check_chunks(schema, placements));
    const bool takes = takes_space(schema);
    ChunkIndex chunks(open_.id(), image(), schema.variables(), placements, std::exchange(index_, {}));
    // The application may have changed an eager file. Attributes that follow from the data are no
    // definitions.
    const bool defined =
        image().options().eager || written_ != schema.hash() || !schema.pending().variables.empty();
    SchemaWriter definitions(open_.id(), image(), schema, placements, dimensions_, chunks);
    HeldSpace freed;
    Status status = defined ? definitions.remove() : Status();
    // Data have their addresses already. In an eager file they get them here, and may use freed space.
    if (status.ok() && takes && !image().options().eager) status = freed.take(open_.id(), image());
    if (status.ok() && defined) status = definitions.write();
    written_ = status.ok() ? std::optional(schema.hash()) : std::nullopt;
    if (status.ok()) status = extend_scales(open_.id(), schema.dimensions(), dimensions_);
    if (status.ok()) status = chunks.write();
    if (status.ok()) status = write_string_elements(open_.id(), schema.variables(), strings_);
    if (!status.ok()) index_ = chunks.unwritten();
    return in_file(std::move(status));
  }

  void add_index(std::vector<storage::IndexEntry> entries) override {
    added_ += entries.size();
    index_.insert(index_.end(), entries.begin(), entries.end());
  }

  void put_strings(model::StringBox box, std::vector<std::string> texts) override {
    strings_.push_back({std::move(box), std::move(texts)});
  }

  Result<std::vector<std::string>> get_strings(const model::Variables& variables,
                                               const model::StringBox& box) override {
    const LibraryCall call;
    SCORPIO_TRY(open_.ensure());
    Result<std::vector<std::string>> texts = read_string_elements(open_.id(), variables, box);
    if (!texts.ok()) return in_file(texts.status());
    return texts;
  }

  // HDF5 closes the file in memory, and the image of it does the rest. Data that HDF5 wants at another
  // address must be written before apply() moves them.
  bool can_leave_library() const override { return !paged_; }
  Status leave_library() override {
    const LibraryCall call;
    image().hold_commits(true);
    Status closed = open_.close();
    image().hold_commits(false);
    left_ = closed.ok();
    return in_file(std::move(closed));
  }

  uint64_t kept_bytes() const override { return left_ ? open_.image().kept_bytes() : 0; }

  Status flush() override {
    if (left_) return in_file(image().commit());
    const LibraryCall call;
    if (!image().writable()) return {};
    SCORPIO_TRY(open_.ensure());
    if (H5Fflush(open_.id(), H5F_SCOPE_GLOBAL) < 0)
      return in_file(library_failure(Code::io, "HDF5 cannot flush"));
    return in_file(release_index());
  }

  void abandon() override { image().abandon(); }

  uint64_t end_of_allocation() const override { return open_.image().space().first_untouched(); }

  Result<Contents> inspect(const std::string& path) override {
    const LibraryCall call;
    SCORPIO_TRY(open_.ensure());
    return known(load_object(open_.id(), path, dimensions_));
  }

  Result<int64_t> library_id() override {
    const LibraryCall call;
    SCORPIO_TRY(open_.ensure());
    return static_cast<int64_t>(open_.id());
  }

  const MetadataCounters& counters() const override { return open_.image().counters(); }

  Status close() override {
    const LibraryCall call;
    if (image().closed()) return failure(Code::state, "{} is closed already", image().name());
    Status status = in_file(open_.close());
    // H5Fclose cannot be repeated, but a commit that failed in it may succeed here.
    if (status.ok()) status = image().commit();
    return first_failure(std::move(status), image().close());
  }

 private:
  Image& image() { return open_.image(); }

  // The index of many chunks is in the file, and not kept in memory too.
  Status release_index() {
    constexpr size_t k_many = 4096, k_kept_bytes = size_t{64} << 10;
    if (added_ < k_many) return {};
    added_ = 0;
    SCORPIO_TRY(shrink_cache(open_.id(), k_kept_bytes));
    image().release();
    return {};
  }

  // Data with an address must be in storage, also those that an application wrote through the id.
  Result<Contents> known(Result<Contents> contents) {
    if (!contents.ok()) return in_file(contents.status());
    // A failure of the storage is not a damaged object.
    if (const Status cause = image().take_failure(); !cause.ok()) return cause.with_context(image().name());
    for (int i = 0; i < contents->schema.variables().count() && image().writable(); ++i) {
      const auto address = contents->placements.of(i).address();
      if (address)
        SCORPIO_TRY(image().share_data(ByteRange::at(*address, contents->schema.variables()[i].bytes())));
    }
    return contents;
  }

  // Whether HDF5 gives space by pages, and chunks smaller than a page the space that others leave of it: the
  // driver cannot place chunks.
  bool is_paged() {
    const Handle form(H5Fget_create_plist(open_.id()), H5Pclose);
    H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_FSM_AGGR;
    return H5Pget_file_space_strategy(form.get(), &strategy, nullptr, nullptr) >= 0 &&
           strategy == H5F_FSPACE_STRATEGY_PAGE;
  }

  // Chunks without filters that have a place are overwritten in it.
  void leave_chunks_to_library(Contents& contents) {
    contents.placements.refuse_chunks(k_paged);
    for (int i = 0; i < contents.schema.variables().count(); ++i) {
      const model::Variable& variable = contents.schema.variables()[i];
      const Placement placement = contents.placements.of(i);
      const auto chunks = placement.found_chunks();
      if (chunks == nullptr) continue;
      const bool stays = chunks->pipeline.empty() && !variable.records && !variable.is_free();
      if (!stays)
        contents.placements.set(
            i, Placement::by_library(placement.form() + ", in a file of which HDF5 gives space by pages"));
    }
  }

  // The I/O ranks look up all chunks that a variable can have before its first put.
  static void leave_many_chunks_to_library(Contents& contents) {
    constexpr int64_t k_most = int64_t{1} << 25;
    for (int i = 0; i < contents.schema.variables().count(); ++i) {
      const Placement placement = contents.placements.of(i);
      const auto chunks = placement.found_chunks();
      if (chunks == nullptr || possible_chunks(contents.schema.variables()[i], *chunks) <= k_most) continue;
      contents.placements.set(
          i,
          Placement::by_library(placement.form() + ", with more than 2^25 chunks, of which none is written"));
    }
  }

  static int64_t possible_chunks(const model::Variable& variable, const ChunkForm& form) {
    int64_t chunks = 1;
    for (size_t d = 0; d < variable.dims.size(); ++d) {
      const int64_t chunk = form.grid.chunk()[d];
      chunks *= variable.dims[d] / chunk + (variable.dims[d] % chunk != 0 ? 1 : 0);
    }
    return chunks;
  }

  // Ranks that put one data set under two names (hard links) would each know the chunks or the space of their
  // own puts alone.
  static void leave_other_names_to_library(Contents& contents) {
    std::map<uint64_t, int> first;
    for (int i = 0; i < contents.schema.variables().count(); ++i) {
      const Placement placement = contents.placements.of(i);
      const bool placed_later = placement.found_chunks() != nullptr || placement.is_unallocated();
      if (!placed_later || placement.object() == UINT64_MAX) continue;
      const auto [known, is_first] = first.emplace(placement.object(), i);
      if (is_first) continue;
      const std::string& path = contents.schema.variables()[known->second].path;
      contents.placements.set(
          i, Placement::by_library("those of " + path + ", of which it is another name (put " + path + ")"));
    }
  }

  // Whether HDF5 will give space to data.
  bool takes_space(const model::Schema& schema) const {
    return !index_.empty() || std::ranges::any_of(schema.pending().variables, [](const auto& entry) {
      return entry.second.is_new || entry.second.takes_space;
    });
  }

  Status check_chunks(const model::Schema& schema, const Placements& placements) {
    bool places = !index_.empty();
    for (const auto& [index, variable] : schema.pending().variables)
      places = places || (variable.is_new && placements.of(index).chunks() != nullptr);
    if (!places || !paged_) return {};
    return failure(Code::unsupported, "{}: {}", image().name(), k_paged);
  }

  // The failure of the storage explains more than that of HDF5, which does not know the cause.
  Status in_file(Status status) {
    Status cause = image().take_failure();
    if (status.ok()) return status;
    return (cause.ok() ? status : cause.with_context(status.text())).with_context(image().name());
  }

  OpenFile open_;
  DimensionTable dimensions_;
  std::optional<uint64_t> written_;         // the hash of the definitions that are in the file
  std::vector<storage::IndexEntry> index_;  // chunks that are not in HDF5's index yet
  size_t added_ = 0;                 // number of chunks that were added since release_index() did something
  std::vector<PutStrings> strings_;  // that were put and are not in the file yet
  bool paged_ = false;
  bool left_ = false;  // HDF5 has closed the file
};

Result<std::unique_ptr<MetadataFile>> make_file(std::unique_ptr<storage::StoredFile> file,
                                                Image::Origin origin, const Hdf5Options& options) {
  if (auto descriptor = file->descriptor()) {
    // No other process may have the file open now. Later, other programs may open the state of the last sync.
    SCORPIO_TRY(lock_like_hdf5(*descriptor, origin.writable, origin.name));
    if (!options.eager) SCORPIO_TRY(unlock_like_hdf5(*file, *descriptor));
  }
  auto opened =
      std::make_unique<Hdf5File>(std::make_shared<Image>(std::move(file), std::move(origin), options));
  const Status status = opened->open();
  if (status.ok()) return std::unique_ptr<MetadataFile>(std::move(opened));
  opened->abandon();  // nothing is written over what the file has
  return status;
}

}  // namespace

Status start_hdf5() {
  const LibraryCall call;
  return H5open() >= 0 ? Status() : library_failure(Code::unsupported, "HDF5 cannot be started");
}

Result<std::unique_ptr<MetadataFile>> create_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                  const std::string& name, const Hdf5Options& options,
                                                  storage::Store* store) {
  return make_file(std::move(file), {.name = name, .store = store, .writable = true, .created = true},
                   options);
}

Result<std::unique_ptr<MetadataFile>> open_hdf5(std::unique_ptr<storage::StoredFile> file,
                                                storage::Store& store, const std::string& path, bool writable,
                                                const Hdf5Options& options) {
  SCORPIO_ASSIGN(const uint64_t size, file->size());
  return make_file(std::move(file),
                   {.name = path, .store = &store, .writable = writable, .stored_bytes = size}, options);
}

}  // namespace scorpio::format
