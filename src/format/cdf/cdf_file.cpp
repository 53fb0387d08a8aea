#include "format/cdf/cdf_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "format/cdf/detect.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header_check.h"
#include "format/cdf/header_reader.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/schema_header.h"
#include "format/cdf/stored_header.h"
#include "format/cdf/type.h"

namespace scorpio::format {
namespace cdf {
namespace {

class FileSource final : public HeaderSource {
 public:
  FileSource(storage::StoredFile& file, uint64_t size) : file_(file), size_(size) {}

  uint64_t size_bytes() const override { return size_; }
  Status read(uint64_t offset, std::span<std::byte> out) override {
    SCORPIO_ASSIGN(const size_t got, file_.read_at(out, offset));
    if (got == out.size()) return {};
    return failure(Code::format, "the file has {} bytes less than it had when it was opened",
                   out.size() - got);
  }

 private:
  storage::StoredFile& file_;
  uint64_t size_;
};

// The bytes of a header, and the end of the data that it describes.
struct Written {
  Header header;
  std::vector<std::byte> bytes;
  uint64_t end_of_data = 0;  // includes the padding at the end
  uint64_t last_datum = 0;   // one past the last byte of data
};

Status check_begins(const Header& header, uint64_t header_bytes) {
  for (const Variable& variable : header.variables) {
    if (variable.begin >= header_bytes) continue;
    return failure(Code::internal, "variable \"{}\" at byte {} lies in the header of {} bytes", variable.name,
                   variable.begin, header_bytes);
  }
  return {};
}

Result<Written> written(Header header) {
  Written out;
  SCORPIO_ASSIGN(out.bytes, write_header(header));
  SCORPIO_TRY(check_begins(header, out.bytes.size()));
  SCORPIO_ASSIGN(const Geometry geometry, Geometry::make(header));
  SCORPIO_ASSIGN(out.last_datum, geometry.end_of_data(header.records));
  out.end_of_data = out.last_datum;
  // Readers that map whole records (scipy) need the padding of the last one, which PnetCDF omits.
  const uint64_t records = header.records * geometry.record_bytes();
  if (records > 0) out.end_of_data = std::max(out.end_of_data, geometry.records_begin() + records);
  out.header = std::move(header);
  return out;
}

class CdfFile final : public MetadataFile {
 public:
  CdfFile(std::unique_ptr<storage::StoredFile> file, StoredHeader::Origin origin, bool writable,
          const MetadataOptions& options)
      : name_(origin.name),
        writable_(writable),
        data_missing_(options.data_missing),
        stored_(std::move(file), std::move(origin), options) {}

  Status create(Version version) {
    Header header;
    header.version = version;
    SCORPIO_ASSIGN(current_, written(std::move(header)));
    changed_ = true;
    return {};
  }

  Status open();

  Result<Contents> load() override { return in_file(to_contents(current_.header, 0)); }
  Status apply(model::Schema& schema, Placements& placements, uint64_t end_of_data) override;
  Status flush() override;
  Result<bool> flush_beside_writers() override;
  bool is_current(const model::Schema& schema) const override;

  void abandon() override {
    changed_ = false;
    flushed_.reset();
  }

  uint64_t end_of_allocation() const override {
    return std::max<uint64_t>(current_.bytes.size(), current_.end_of_data);
  }

  Result<uint64_t> missing_bytes() override {
    SCORPIO_ASSIGN(const uint64_t size, stored_.file().size());
    return current_.last_datum - std::min(current_.last_datum, size);
  }

  Result<Contents> inspect(const std::string&) override { return no_live_id(); }
  Result<int64_t> library_id() override { return no_live_id(); }
  const MetadataCounters& counters() const override { return stored_.counters(); }
  Status close() override;

 private:
  uint64_t wanted_bytes() const;
  Status no_live_id() const {
    return failure(Code::unsupported, "{}: {} files have no live id; create the file with format hdf5", name_,
                   cdf::name(current_.header.version));
  }
  template <typename T>
  Result<T> in_file(Result<T> result) const {
    return result.ok() ? std::move(result) : result.status().with_context(name_);
  }

  std::string name_;
  bool writable_;
  bool data_missing_;                      // at the time of opening or copying
  std::optional<uint64_t> first_records_;  // the number of records at that time
  StoredHeader stored_;
  Written current_;                  // the present contents, or those after flush()
  bool changed_ = false;             // since the last flush
  uint64_t applied_ = 0;             // hash of the schema in the last apply()
  std::optional<uint64_t> flushed_;  // ... and of the one in storage
};

Status CdfFile::open() {
  SCORPIO_ASSIGN(const uint64_t size, stored_.file().size());
  FileSource source(stored_.file(), size);
  SCORPIO_ASSIGN(ParsedHeader parsed, read_header(source));
  SCORPIO_TRY(check_apart(parsed.header));
  // The header as this library would write it: redundant fields of other writers are not a change.
  SCORPIO_ASSIGN(const Contents contents, to_contents(parsed.header, size));
  SCORPIO_ASSIGN(Header header, to_header(contents.schema, parsed.header.version, contents.placements));
  SCORPIO_ASSIGN(current_, written(std::move(header)));
  std::vector<std::byte> bytes = current_.bytes;
  SCORPIO_ASSIGN(const auto records, write_records(parsed.header.version, parsed.header.records));
  std::copy(records.begin(), records.end(), bytes.begin() + k_records_offset);
  // Names that are filled up with zeros have become shorter: what is in the file stands elsewhere.
  if (bytes.size() != parsed.bytes) {
    bytes.resize(parsed.bytes);
    SCORPIO_TRY(source.read(0, bytes));
  }
  stored_.found(std::move(bytes), size);
  data_missing_ = current_.last_datum > size;
  first_records_ = current_.header.records;
  return data_missing_ && writable_ ? check_lengths(parsed.header) : Status();
}

Status CdfFile::apply(model::Schema& schema, Placements& placements, uint64_t) {
  if (!writable_) return failure(Code::read_only, "{} was opened for reading", name_);
  for (const int i : variables_of(schema)) {
    if (placements.of(i).has_address()) continue;
    return failure(Code::internal, "{}: variable {} has no place: definitions were not ended", name_,
                   schema.variables()[i].path);
  }
  SCORPIO_ASSIGN(Header header, in_file(to_header(schema, current_.header.version, placements)));
  SCORPIO_ASSIGN(current_, in_file(written(std::move(header))));
  if (!first_records_) first_records_ = current_.header.records;
  schema.clear_pending();
  changed_ = true;
  applied_ = schema.hash();
  return {};
}

// If data are missing, the file and its journal must grow with the data.
bool CdfFile::is_current(const model::Schema& schema) const {
  const auto records = static_cast<uint64_t>(schema.dimensions().records());
  return !changed_ && !data_missing_ && flushed_ == schema.hash() && current_.header.records == records;
}

// A file that lacked data before, possibly because a length is damaged, grows only by data that are put.
uint64_t CdfFile::wanted_bytes() const {
  const bool grown = current_.header.records > first_records_.value_or(0);
  return data_missing_ && !grown ? 0 : current_.end_of_data;
}

Status CdfFile::flush() {
  if (!writable_ || !changed_) return {};
  SCORPIO_TRY(stored_.change(current_.bytes, wanted_bytes()).with_context(name_));
  changed_ = false;
  flushed_ = applied_;
  return {};
}

// A file that must be extended could be cut off: its size is set, and it may have grown in between.
Result<bool> CdfFile::flush_beside_writers() {
  SCORPIO_ASSIGN(const uint64_t size, stored_.file().size());
  if (size < std::max<uint64_t>(wanted_bytes(), current_.bytes.size())) return false;
  SCORPIO_TRY(flush());
  return true;
}

Status CdfFile::close() {
  if (stored_.closed()) return failure(Code::state, "{} is closed already", name_);
  Status status = flush();
  return first_failure(std::move(status), stored_.close());
}

}  // namespace
}  // namespace cdf

Result<std::unique_ptr<MetadataFile>> create_cdf(std::unique_ptr<storage::StoredFile> file,
                                                 const std::string& name, cdf::Version version,
                                                 const MetadataOptions& options,
                                                 storage::Store* journal_store) {
  auto out = std::make_unique<cdf::CdfFile>(
      std::move(file), cdf::StoredHeader::Origin{.name = name, .store = journal_store, .version = version},
      true, options);
  SCORPIO_TRY(out->create(version));
  return std::unique_ptr<MetadataFile>(std::move(out));
}

Result<std::unique_ptr<MetadataFile>> open_cdf(std::unique_ptr<storage::StoredFile> file,
                                               storage::Store& store, const std::string& path, bool writable,
                                               const MetadataOptions& options) {
  std::array<std::byte, 4> first{};
  SCORPIO_ASSIGN(const size_t got, file->read_at(first, 0));
  const auto version = cdf::detect(std::span(first).first(got));
  if (!version.has_value()) return failure(Code::format, "{} is not a classic netCDF file", path);
  auto out = std::make_unique<cdf::CdfFile>(
      std::move(file), cdf::StoredHeader::Origin{.name = path, .store = &store, .version = *version},
      writable, options);
  SCORPIO_TRY(out->open().with_context(path));
  return std::unique_ptr<MetadataFile>(std::move(out));
}

}  // namespace scorpio::format
