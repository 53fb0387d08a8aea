#include "format/toy/toy_format.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/interval_set.h"
#include "format/default_fill.h"
#include "model/path.h"
#include "storage/object_key.h"

namespace scorpio::format {
namespace {

using nlohmann::json;
using Kind = model::Kind;

constexpr uint64_t k_limit = uint64_t{1} << 62;
constexpr size_t k_chunks_under_assembly = 4;  // of one I/O rank

// "data/ocean/temp/17"
std::string key_of(const std::string& variable, uint64_t chunk) {
  return "data" + variable + "/" + std::to_string(chunk);
}

// ---- places: raw space has the variables one after the other, each from the beginning of a chunk ----

class ToyLayout final : public Layout {
 public:
  std::unique_ptr<Layout> copy() const override { return std::make_unique<ToyLayout>(*this); }
  void take(Layout&& copy) override { *this = std::move(dynamic_cast<ToyLayout&>(copy)); }
  ToyLayout(uint64_t chunk_bytes, uint64_t first_free)
      : Layout(Traits()), chunk_bytes_(chunk_bytes), end_(first_free) {}

  Status check_group(const model::Schema&, const std::string&) override { return {}; }
  Status check_link(const model::Schema&, const std::string& path) override {
    return failure(Code::unsupported, "soft link {}: files of format toy have no links", path);
  }
  Status check_dimension(const model::Schema&, const model::Dimension& dimension) override {
    if (!dimension.unlimited) return {};
    return failure(Code::unsupported,
                   "dimension {}: files of format toy have no unlimited dimensions; give an extent",
                   dimension.name);
  }
  Status check_variable(const model::Schema&, model::Variable& variable) override {
    SCORPIO_ASSIGN(const std::string path, model::normalise(variable.path));
    SCORPIO_TRY(storage::check_key(key_of(path, 0)));
    if (variable.bytes() <= k_limit - end_) return {};
    return failure(Code::limit, "variable {} of {} bytes: raw space ends at 2^62 bytes", path,
                   variable.bytes());
  }
  Status check_attribute(const model::Schema&, const std::string&, const std::string&,
                         const model::Attribute&, bool) override {
    return {};
  }
  Status check_removal(const model::Schema&, const std::string& path, bool) override {
    return failure(Code::unsupported, "{} cannot be removed: files of format toy keep what was defined",
                   path);
  }
  Status check_rename(const model::Schema&, const std::string& old_name, const std::string&, bool) override {
    return failure(Code::unsupported, "{} cannot be renamed: files of format toy keep what was defined",
                   old_name);
  }

  Status place(const model::Schema& schema, int index) override {
    placements().set(index, Placement::at(end_));
    end_ += (schema.variables()[index].bytes() + chunk_bytes_ - 1) / chunk_bytes_ * chunk_bytes_;
    return {};
  }
  Result<Rearrangement> end_definitions(const model::Schema&) override { return Rearrangement(); }
  Status check_records(const std::string&, uint64_t) const override { return {}; }
  uint64_t end_of_data(const model::Schema&) const override { return end_; }
  void raise(uint64_t) override {}
  uint64_t undivided_bytes() const override { return chunk_bytes_; }

 private:
  uint64_t chunk_bytes_;
  uint64_t end_;  // of what has a place; where a chunk ends
};

// ---- metadata: one object of JSON ----

// As numpy writes it: "<f8".
std::string text_of(const model::ElementType& type) {
  static constexpr std::string_view k_letters = "iuiuiuiuffSV";  // in the order of Kind
  const char order = type.order == model::ByteOrder::little ? '<' : '>';
  return fmt::format("{}{}{}", order, k_letters[static_cast<size_t>(type.kind)], type.size_bytes);
}

Result<model::ElementType> type_of(const std::string& text) {
  constexpr auto k_kinds = std::to_array<Kind>({Kind::int8, Kind::uint8, Kind::int16, Kind::uint16,
                                                Kind::int32, Kind::uint32, Kind::int64, Kind::uint64,
                                                Kind::float32, Kind::float64, Kind::text, Kind::opaque});
  model::ElementType type;
  for (const Kind kind : k_kinds) {
    for (const auto order : {model::ByteOrder::little, model::ByteOrder::big}) {
      type = {kind, 0, order};
      const bool sized = kind == Kind::text || kind == Kind::opaque;
      type.size_bytes = sized && text.size() > 2 ? static_cast<uint32_t>(std::stoul(text.substr(2)))
                                                 : model::native(kind).size_bytes;
      if (text_of(type) == text) return type;
    }
  }
  return failure(Code::format, "\"{}\" is no type of elements", text);
}

json to_json(const model::Attribute& attribute) {
  std::vector<int> bytes;
  for (const std::byte byte : attribute.value) bytes.push_back(std::to_integer<int>(byte));
  return {{"type", text_of(attribute.type)},
          {"scalar", attribute.scalar},
          {"dims", attribute.dims},
          {"order", attribute.order},
          {"bytes", bytes}};
}

json to_json(const model::Attributes& attributes) {
  json all = json::object();
  for (const auto& [name, attribute] : attributes) all[name] = to_json(attribute);
  return all;
}

json to_json(const model::Variable& variable, const Placement& placement) {
  return {{"path", variable.path},
          {"type", text_of(variable.type)},
          {"dims", variable.dims},
          {"dimensions", variable.dimensions},
          {"filled", variable.filled},
          {"address", placement.address().value()},
          {"attributes", to_json(variable.attributes)}};
}

json to_json(const model::Schema& schema, const Placements& placements, uint64_t chunk_bytes, uint64_t end) {
  json document{{"chunk_bytes", chunk_bytes}, {"end", end}, {"groups", json::object()}};
  document["dimensions"] = document["variables"] = json::array();
  for (const auto& [path, group] : schema.objects().groups())
    document["groups"][path] = to_json(group.attributes);
  for (const model::Dimension& dimension : schema.dimensions().all()) {
    document["dimensions"].push_back(
        {{"name", dimension.name}, {"extent", dimension.extent}, {"group", dimension.group}});
  }
  for (int i = 0; i < schema.variables().count(); ++i) {
    document["variables"].push_back(to_json(schema.variables()[i], placements.of(i)));
  }
  return document;
}

Status take_attributes(const json& found, const std::string& object, model::Schema& schema) {
  std::map<uint64_t, std::string> in_order;
  for (const auto& [name, attribute] : found.items()) in_order[attribute.at("order")] = name;
  for (const auto& [order, name] : in_order) {
    const json& from = found.at(name);
    model::Attribute attribute;
    SCORPIO_ASSIGN(attribute.type, type_of(from.at("type")));
    attribute.scalar = from.at("scalar");
    attribute.dims = from.at("dims").get<std::vector<int64_t>>();
    for (const int byte : from.at("bytes")) attribute.value.push_back(static_cast<std::byte>(byte));
    SCORPIO_TRY(schema.put_attribute(object, name, std::move(attribute)));
  }
  return {};
}

Result<Contents> contents_of(const json& document) {
  Contents contents;
  model::Schema& schema = contents.schema;
  for (const auto& [path, attributes] : document.at("groups").items()) {
    SCORPIO_TRY(schema.add_group(path));
    SCORPIO_TRY(take_attributes(attributes, path, schema));
  }
  for (const json& found : document.at("dimensions")) {
    SCORPIO_TRY(
        schema.add_dimension({found.at("name"), found.at("extent"), false, found.at("group")}).status());
  }
  for (const json& found : document.at("variables")) {
    model::Variable variable;
    variable.path = found.at("path");
    SCORPIO_ASSIGN(variable.type, type_of(found.at("type")));
    variable.dims = found.at("dims").get<std::vector<int64_t>>();
    variable.dimensions = found.at("dimensions").get<std::vector<int>>();
    variable.filled = found.at("filled");
    const std::string path = variable.path;
    SCORPIO_ASSIGN(const int index, schema.add_variable(std::move(variable)));
    contents.placements.set(index, Placement::at(found.at("address")));
    SCORPIO_TRY(take_attributes(found.at("attributes"), path, schema));
  }
  schema.clear_pending();
  return contents;
}

class ToyFile final : public MetadataFile {
 public:
  ToyFile(std::string mark, uint64_t chunk_bytes, const FileRequest& request)
      : container_(request.container),
        mark_(std::move(mark)),
        chunk_bytes_(chunk_bytes),
        durable_(request.metadata.durable),
        writable_(request.writable) {}

  Status read() {
    std::vector<std::byte> bytes;
    SCORPIO_TRY(container_.store().get(container_.path(), mark_, bytes));
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    document_ = json::parse(text, text + bytes.size(), nullptr, false);
    return load().status();
  }

  Result<Contents> load() override {
    try {
      end_ = document_.at("end");
      const uint64_t chunk_bytes = document_.at("chunk_bytes");
      if (chunk_bytes == chunk_bytes_) return contents_of(document_);
      return failure(Code::unsupported, "{} has chunks of {} bytes, not of {}", container_.path(),
                     chunk_bytes, chunk_bytes_);
    } catch (const std::exception& error) {
      return failure(Code::format, "{} of {} is damaged: {}", mark_, container_.path(), error.what());
    }
  }

  Status apply(model::Schema& schema, Placements& placements, uint64_t end_of_data) override {
    if (!writable_) return failure(Code::read_only, "{} was opened for reading", container_.path());
    end_ = end_of_data;
    document_ = to_json(schema, placements, chunk_bytes_, end_);
    changed_ = true;
    schema.clear_pending();
    return {};
  }

  Status flush() override {
    if (!changed_) return {};
    const std::string text = document_.dump(1) + "\n";
    SCORPIO_TRY(container_.store().put(container_.current_path(), mark_, std::as_bytes(std::span(text)),
                                       {.exclusive = false, .durable = durable_}));
    ++counters_.writes;
    counters_.bytes_written += text.size();
    changed_ = false;
    return {};
  }

  uint64_t end_of_allocation() const override { return end_; }
  Result<Contents> inspect(const std::string&) override { return no_live_id(); }
  Result<int64_t> library_id() override { return no_live_id(); }
  const MetadataCounters& counters() const override { return counters_; }
  void abandon() override { changed_ = false; }
  Status close() override { return flush(); }

 private:
  Status no_live_id() const { return failure(Code::unsupported, "{} has no live id", container_.path()); }

  storage::Container& container_;
  std::string mark_;
  uint64_t chunk_bytes_;
  bool durable_;
  bool writable_;
  json document_ = json::object();
  uint64_t end_ = 0;      // of raw space in use
  bool changed_ = false;  // since flush()
  MetadataCounters counters_;
};

// ---- data: chunks are put together in memory, and put when they are whole or when their memory is needed
// ----

class ToyData final : public storage::DataAccess {
 public:
  ToyData(const DataRequest& request, uint64_t chunk_bytes)
      : store_(request.store),
        path_(request.path),
        variables_(request.variables),
        layout_(request.layout),
        chunk_bytes_(chunk_bytes),
        durable_(request.durable) {}

  Status write(uint64_t offset, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const uint64_t at = offset % chunk_bytes_;
      const auto piece = bytes.first(std::min<uint64_t>(bytes.size(), chunk_bytes_ - at));
      SCORPIO_TRY(take(offset / chunk_bytes_, at, piece));
      bytes = bytes.subspan(piece.size());
      offset += piece.size();
    }
    return {};
  }

  Status read(uint64_t offset, std::span<std::byte> bytes) override {
    std::vector<std::byte> chunk;
    while (!bytes.empty()) {
      const uint64_t at = offset % chunk_bytes_;
      const auto piece = bytes.first(std::min<uint64_t>(bytes.size(), chunk_bytes_ - at));
      SCORPIO_TRY(image(offset / chunk_bytes_, chunk));
      chunk.resize(chunk_bytes_);  // behind the variable nothing was written
      std::copy_n(chunk.begin() + static_cast<std::ptrdiff_t>(at), piece.size(), piece.begin());
      bytes = bytes.subspan(piece.size());
      offset += piece.size();
    }
    return {};
  }

  void adopt(const storage::Container&) override {}  // objects are reached by name
  Result<std::unique_ptr<storage::StoredFile>> share() override {
    return failure(Code::internal, "{} is a folder of objects", path_);
  }
  void set_path(std::string path) override { path_ = std::move(path); }
  Status sync() override { return check_close(); }  // with `durable` each object was put so
  Status check_close() override {
    while (!chunks_.empty()) SCORPIO_TRY(put_oldest());
    return {};
  }
  Status close() override {
    chunks_.clear();
    return {};
  }
  void follow() override;

 private:
  struct Place {
    std::string key;
    uint64_t bytes = 0;  // the last chunk of a variable ends with it
  };
  // Under assembly.
  struct Chunk {
    uint64_t number;  // in raw space
    Place place;
    std::vector<std::byte> image;
    IntervalSet written;  // bytes of the image

    bool whole() const { return written.covers({0, place.bytes}); }
    void put(uint64_t at, std::span<const std::byte> bytes);
  };

  std::optional<Place> place_of(uint64_t number);
  Status take(uint64_t number, uint64_t at, std::span<const std::byte> bytes);
  Status put_oldest();
  Status put(Chunk& chunk);
  Status stored(const Place& place, std::vector<std::byte>& bytes);
  Status image(uint64_t number, std::vector<std::byte>& bytes);
  static void lay_over(const Chunk& chunk, std::vector<std::byte>& bytes);

  storage::Store& store_;
  std::string path_;
  const model::Variables& variables_;
  const Layout& layout_;
  uint64_t chunk_bytes_;
  bool durable_;
  std::mutex mutex_;
  std::map<uint64_t, Place> places_;  // paths and sizes, by address
  int known_ = 0;                     // variables of the schema that were looked at
  std::list<Chunk> chunks_;  // in the order in which they were begun; at most k_chunks_under_assembly
};

void ToyData::Chunk::put(uint64_t at, std::span<const std::byte> bytes) {
  std::copy(bytes.begin(), bytes.end(), image.begin() + static_cast<std::ptrdiff_t>(at));
  written.add(ByteRange::at(at, bytes.size()));
}

// None: no variable has bytes there.
std::optional<ToyData::Place> ToyData::place_of(uint64_t number) {
  const std::lock_guard lock(mutex_);
  const uint64_t begin = number * chunk_bytes_;
  const auto behind = places_.upper_bound(begin);
  if (behind == places_.begin()) return std::nullopt;
  const auto& [address, variable] = *std::prev(behind);
  if (begin >= address + variable.bytes) return std::nullopt;
  return Place{key_of(variable.key, (begin - address) / chunk_bytes_),
               std::min(chunk_bytes_, address + variable.bytes - begin)};
}

// The worker writes while the program defines further variables.
void ToyData::follow() {
  const std::lock_guard lock(mutex_);
  for (; known_ < variables_.count(); ++known_) {
    const model::Variable& variable = variables_[known_];
    if (variable.bytes() == 0) continue;
    places_.emplace(layout_.placement(known_).address().value(), Place{variable.path, variable.bytes()});
  }
}

Status ToyData::take(uint64_t number, uint64_t at, std::span<const std::byte> bytes) {
  auto chunk = std::ranges::find(chunks_, number, &Chunk::number);
  if (chunk == chunks_.end()) {
    auto place = place_of(number);
    if (!place || at + bytes.size() > place->bytes) {
      return failure(Code::internal, "no variable has {} bytes at byte {} of chunk {}", bytes.size(), at,
                     number);
    }
    if (chunks_.size() == k_chunks_under_assembly) SCORPIO_TRY(put_oldest());
    const uint64_t size = place->bytes;
    chunk = chunks_.insert(chunks_.end(), {number, std::move(*place), std::vector<std::byte>(size), {}});
  }
  chunk->put(at, bytes);
  if (!chunk->whole()) return {};
  SCORPIO_TRY(put(*chunk));
  chunks_.erase(chunk);
  return {};
}

Status ToyData::put_oldest() {
  SCORPIO_TRY(put(chunks_.front()));
  chunks_.pop_front();
  return {};
}

// One that is not whole goes over what is stored of it.
Status ToyData::put(Chunk& chunk) {
  if (!chunk.whole()) {
    std::vector<std::byte> bytes;
    SCORPIO_TRY(stored(chunk.place, bytes));
    lay_over(chunk, bytes);
    chunk.image = std::move(bytes);
  }
  return store_.put(path_, chunk.place.key, chunk.image, {.exclusive = false, .durable = durable_});
}

// Zeros where nothing is stored.
Status ToyData::stored(const Place& place, std::vector<std::byte>& bytes) {
  const Status got = store_.get(path_, place.key, bytes);
  if (got.code() == Code::not_found) bytes.clear();
  if (!got.ok() && got.code() != Code::not_found) return got;
  bytes.resize(place.bytes);
  return {};
}

void ToyData::lay_over(const Chunk& chunk, std::vector<std::byte>& bytes) {
  for (const auto& [begin, end] : chunk.written.ranges()) {
    std::copy(chunk.image.begin() + static_cast<std::ptrdiff_t>(begin),
              chunk.image.begin() + static_cast<std::ptrdiff_t>(end),
              bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

Status ToyData::image(uint64_t number, std::vector<std::byte>& bytes) {
  const auto chunk = std::ranges::find(chunks_, number, &Chunk::number);
  const auto place = chunk != chunks_.end() ? std::optional(chunk->place) : place_of(number);
  bytes.clear();
  if (!place) return {};
  SCORPIO_TRY(stored(*place, bytes));
  if (chunk != chunks_.end()) lay_over(*chunk, bytes);
  return {};
}

// ---- the format ----

class ToyFormat final : public Format {
 public:
  constexpr ToyFormat(const Capabilities& capabilities, uint64_t chunk_bytes)
      : capabilities_(capabilities), chunk_bytes_(chunk_bytes) {}

  const Capabilities& capabilities() const override { return capabilities_; }
  std::unique_ptr<Layout> layout(const LayoutRequest& request) const override {
    return std::make_unique<ToyLayout>(chunk_bytes_, request.end_of_allocation);
  }
  Result<std::unique_ptr<MetadataFile>> create(const FileRequest& request) const override {
    return std::unique_ptr<MetadataFile>(std::make_unique<ToyFile>(mark(), chunk_bytes_, request));
  }
  Result<std::unique_ptr<MetadataFile>> open(const FileRequest& request) const override {
    auto file = std::make_unique<ToyFile>(mark(), chunk_bytes_, request);
    SCORPIO_TRY(file->read());
    return std::unique_ptr<MetadataFile>(std::move(file));
  }
  std::unique_ptr<storage::DataAccess> data(const DataRequest& request) const override {
    return std::make_unique<ToyData>(request, chunk_bytes_);
  }
  std::vector<std::byte> default_fill(const model::ElementType& type) const override {
    return netcdf_default_fill(type);
  }

 private:
  std::string mark() const { return std::string(capabilities_.folder_mark); }

  Capabilities capabilities_;
  uint64_t chunk_bytes_;
};

static_assert(std::is_trivially_destructible_v<ToyFormat>);

}  // namespace

const Format& toy_format() {
  static const ToyFormat k_format(
      {.name = "toy", .number = 101, .records_in_turns = false, .folder_mark = "toy.json"},
      k_toy_chunk_bytes);
  return k_format;
}

const Format& toy_large_format() {
  static const ToyFormat k_format(
      {.name = "toy_large", .number = 102, .records_in_turns = false, .folder_mark = "toy_large.json"},
      k_toy_large_chunk_bytes);
  return k_format;
}

}  // namespace scorpio::format
