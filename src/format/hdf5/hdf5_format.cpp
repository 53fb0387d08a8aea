#include "format/hdf5/hdf5_format.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <string>
#include <type_traits>
#include <utility>

#include "format/chunk_data.h"
#include "format/default_fill.h"
#include "format/hdf5/hdf5_file.h"
#include "format/hdf5/hdf5_layout.h"
#include "storage/shared_file.h"

namespace scorpio::format {
namespace {

class Hdf5Live final : public LiveLibrary {
 public:
  Result<std::unique_ptr<LibraryMirror>> open_mirror(std::unique_ptr<storage::StoredFile> file,
                                                     const std::string& path, bool writable) const override {
    return open_hdf5_mirror(std::move(file), path, writable);
  }
};

bool has_classic_model(const Options& options, bool netcdf4) {
  return netcdf4 && options.choice(Option::model) == "classic";
}

Hdf5Options options_of(const FileRequest& request, bool netcdf4) {
  return {request.metadata, request.options.boolean(Option::eager),
          request.options.choice(Option::text_padding) == "nullterm", netcdf4,
          has_classic_model(request.options, netcdf4)};
}

// HDF5 itself refuses to run with another version than that of its headers.
std::string name_of_library() {
#ifdef H5_HAVE_PARALLEL
  const char* const parallel = ", parallel";
#else
  const char* const parallel = "";
#endif
  return fmt::format("HDF5 {}.{}.{}{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE, parallel);
}

class Hdf5Format final : public Format {
 public:
  explicit Hdf5Format(bool netcdf4) : netcdf4_(netcdf4) {}

  const Capabilities& capabilities() const override {
    static constexpr Capabilities k_hdf5{.name = "hdf5", .number = 1, .records_in_turns = false};
    static constexpr Capabilities k_netcdf4{.name = "netcdf4", .number = 5, .records_in_turns = false};
    return netcdf4_ ? k_netcdf4 : k_hdf5;
  }

  // An HDF5 file may begin with a user block of any size: HDF5 searches for its superblock, and reports what
  // is wrong with a file of no format. An existing file has format hdf5, whichever library made it.
  bool detect(std::span<const std::byte>) const override { return !netcdf4_; }

  std::unique_ptr<Layout> layout(const LayoutRequest& request) const override {
    const Netcdf4Rules rules{netcdf4_, has_classic_model(request.options, netcdf4_)};
    return make_hdf5_layout(request.block_bytes, request.end_of_allocation, request.unit_bytes,
                            request.chunks, Hdf5Rules(rules, request.eager));
  }

  Result<std::unique_ptr<MetadataFile>> create(const FileRequest& request) const override {
    return create_hdf5(storage::share(request.container), request.path, options_of(request, netcdf4_),
                       request.store);
  }

  Result<std::unique_ptr<MetadataFile>> open(const FileRequest& request) const override {
    return open_hdf5(storage::share(request.container), *request.store, request.path, request.writable,
                     options_of(request, netcdf4_));
  }

  std::unique_ptr<storage::DataAccess> data(const DataRequest& request) const override {
    return std::make_unique<ChunkData>(request, Format::data(request), open_hdf5_finder);
  }

  Result<std::unique_ptr<LibraryReader>> open_reader(std::unique_ptr<storage::StoredFile> file,
                                                     const std::string& path) const override {
    return open_hdf5_reader(std::move(file), path);
  }

  std::vector<std::byte> default_fill(const model::ElementType& type) const override {
    return netcdf_default_fill(type);
  }

  const LiveLibrary* live_library() const override { return &live_; }
  Status start() const override { return start_hdf5(); }
  std::string library() const override { return name_of_library(); }

 private:
  bool netcdf4_;
  Hdf5Live live_;
};

static_assert(std::is_trivially_destructible_v<Hdf5Format>);

}  // namespace

const Format& hdf5_format() {
  static const Hdf5Format k_format(false);
  return k_format;
}

const Format& netcdf4_format() {
  static const Hdf5Format k_format(true);
  return k_format;
}

}  // namespace scorpio::format
