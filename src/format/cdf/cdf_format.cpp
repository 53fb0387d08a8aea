#include "format/cdf/cdf_format.h"

#include <type_traits>
#include <utility>

#include "format/cdf/cdf_file.h"
#include "format/cdf/cdf_layout.h"
#include "format/cdf/detect.h"
#include "format/default_fill.h"
#include "storage/shared_file.h"

namespace scorpio::format {
namespace cdf {
namespace {

class CdfFormat final : public Format {
 public:
  CdfFormat(Version version, const Capabilities& capabilities)
      : version_(version), capabilities_(capabilities) {}

  const Capabilities& capabilities() const override { return capabilities_; }

  bool detect(std::span<const std::byte> first_bytes) const override {
    return cdf::detect(first_bytes) == version_;
  }

  std::unique_ptr<Layout> layout(const LayoutRequest& request) const override {
    LayoutOptions wished;
    wished.header_free = request.options.bytes(Option::header_free);
    wished.data_align = request.options.bytes(Option::data_align);
    wished.variable_align = request.options.bytes(Option::variable_align);
    wished.variable_free = request.options.bytes(Option::variable_free);
    wished.record_align = request.options.bytes(Option::record_align);
    return make_cdf_layout(version_, wished);
  }

  Result<std::unique_ptr<MetadataFile>> create(const FileRequest& request) const override {
    return create_cdf(storage::share(request.container), request.path, version_, request.metadata,
                      request.store);
  }

  Result<std::unique_ptr<MetadataFile>> open(const FileRequest& request) const override {
    return open_cdf(storage::share(request.container), *request.store, request.path, request.writable,
                    request.metadata);
  }

  std::vector<std::byte> default_fill(const model::ElementType& type) const override {
    return netcdf_default_fill(type);
  }

 private:
  Version version_;
  Capabilities capabilities_;
};

// CDF-1 and CDF-2 have no unsigned bytes: unsigned elements are stored unchanged.
constexpr Capabilities capabilities_of(std::string_view name, uint8_t number, bool bytes_lack_sign) {
  return {.name = name,
          .number = number,
          .records_in_turns = true,
          .bytes_lack_sign = bytes_lack_sign,
          .flushes_in_any_thread = true};
}
constexpr Capabilities k_cdf1 = capabilities_of("cdf1", 2, true);
constexpr Capabilities k_cdf2 = capabilities_of("cdf2", 3, true);
constexpr Capabilities k_cdf5 = capabilities_of("cdf5", 4, false);

static_assert(std::is_trivially_destructible_v<CdfFormat>);

}  // namespace
}  // namespace cdf

const Format& cdf_format(cdf::Version version) {
  static const cdf::CdfFormat k_first(cdf::Version::cdf1, cdf::k_cdf1);
  static const cdf::CdfFormat k_second(cdf::Version::cdf2, cdf::k_cdf2);
  static const cdf::CdfFormat k_fifth(cdf::Version::cdf5, cdf::k_cdf5);
  if (version == cdf::Version::cdf1) return k_first;
  return version == cdf::Version::cdf2 ? k_second : k_fifth;
}

}  // namespace scorpio::format
