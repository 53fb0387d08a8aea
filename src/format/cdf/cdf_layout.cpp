#include "format/cdf/cdf_layout.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "format/cdf/alignment.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/limits.h"
#include "format/cdf/places.h"
#include "format/cdf/schema_header.h"
#include "format/cdf/shifts.h"
#include "format/cdf/type.h"
#include "format/netcdf_names.h"
#include "model/path.h"

namespace scorpio::format {
namespace cdf {
namespace {

// The variables for which the locations of the file were computed.
struct Placed {
  Header header;
  std::vector<int> variables;  // [variables of the header]: their index in the schema
};

uint64_t padded_bytes(uint64_t bytes) { return round_up(bytes, k_padding_bytes).value_or(bytes); }

std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

class CdfLayout final : public Layout {
 public:
  CdfLayout(Version version, const LayoutOptions& options)
      : Layout({.define_mode = true, .names_all_dimensions = true, .strings = false}),
        version_(version),
        options_(options) {}

  std::unique_ptr<Layout> copy() const override { return std::make_unique<CdfLayout>(*this); }
  void take(Layout&& copy) override { *this = std::move(dynamic_cast<CdfLayout&>(copy)); }
  std::string stored_name(std::string name) const override { return normalised_name(std::move(name)); }
  Status check_group(const model::Schema& schema, const std::string& path) override;
  Status check_link(const model::Schema& schema, const std::string& path) override;
  Status check_dimension(const model::Schema& schema, const model::Dimension& dimension) override;
  Status check_variable(const model::Schema& schema, model::Variable& variable) override;
  Status check_attribute(const model::Schema& schema, const std::string& object, const std::string& name,
                         const model::Attribute& attribute, bool defining) override;
  Status check_removal(const model::Schema& schema, const std::string& path, bool defining) override;
  Status check_rename(const model::Schema& schema, const std::string& old_name, const std::string& name,
                      bool defining) override;
  void found(const model::Schema& schema, Placements placements) override;
  Status place(const model::Schema&, int) override { return {}; }
  Result<Rearrangement> end_definitions(const model::Schema& schema) override;
  Status check_records(const std::string& variable, uint64_t records) const override;
  uint64_t end_of_data(const model::Schema& schema) const override;
  void raise(uint64_t) override {}

 private:
  Alignment alignment(bool with_room) const;
  Status check_type(const model::Variable& variable) const;
  Result<Header> around(const model::Schema& schema, const model::Variable& variable, Variable& out) const;
  Header old_header(const model::Schema& schema, uint64_t records) const;
  Result<Rearrangement> move_variables(const model::Schema& schema, Header& next,
                                       const std::vector<int>& variables) const;

  Version version_;
  LayoutOptions options_;
  std::optional<Placed> placed_;
  uint64_t header_room_ = 0;  // bytes of the header when define mode ended, or in the file that was opened
  Status unplaceable_;        // the failure if the contents of the file could not be taken over
};

void CdfLayout::found(const model::Schema& schema, Placements places) {
  Layout::found(schema, std::move(places));
  std::vector<int> variables = variables_of(schema);
  const bool all_placed = std::all_of(variables.begin(), variables.end(),
                                      [&](int variable) { return placement(variable).has_address(); });
  if (!all_placed) return;
  Result<Header> header = to_header(schema, version_, placements());
  unplaceable_ = header.status();
  if (!header.ok()) return;
  header_room_ = header_bytes(*header);
  if (!variables.empty()) placed_ = Placed{std::move(header).value(), std::move(variables)};
}

// ---- checks ----

Status CdfLayout::check_group(const model::Schema&, const std::string& path) {
  SCORPIO_ASSIGN(const std::string group, model::normalise(path));
  if (group == "/") return {};
  return failure(Code::unsupported,
                 "group {}: {} files have no groups; put the group's name before those of its variables "
                 "(\"ocean_temp\"), or create the file with format hdf5",
                 group, name(version_));
}

Status CdfLayout::check_link(const model::Schema&, const std::string& path) {
  return failure(Code::unsupported,
                 "soft link {}: {} files have no links; create the file with format hdf5 to have them", path,
                 name(version_));
}

Status CdfLayout::check_dimension(const model::Schema& schema, const model::Dimension& dimension) {
  // A new dimension can conflict only with one of its name, which the schema finds, and, if it is unlimited,
  // with another unlimited one.
  Header others;
  others.version = version_;
  if (dimension.unlimited) {
    for (const model::Dimension& other : schema.dimensions().all()) {
      if (other.unlimited) others.dims.push_back({other.name, 0, true});
    }
  }
  if (dimension.extent < 0) {
    return failure(Code::argument, "extent {} of dimension \"{}\" is negative", dimension.extent,
                   dimension.name);
  }
  const auto length = dimension.unlimited ? uint64_t{0} : static_cast<uint64_t>(dimension.extent);
  return cdf::check_dimension(others, {dimension.name, length, dimension.unlimited});
}

Status CdfLayout::check_type(const model::Variable& variable) const {
  const Result<Type> type = type_for(version_, variable.type.kind);
  if (!type.ok()) return type.status().with_context("variable " + variable.path);
  if (variable.type.kind != model::Kind::text || variable.type.size_bytes == 1) return {};
  return failure(
      Code::type,
      "variable {}: {} files have single characters only, not strings of {}; define a dimension of "
      "length {} and make it the last one of a variable of characters",
      variable.path, name(version_), variable.type.size_bytes, variable.type.size_bytes);
}

// A header with only this variable and its dimensions, so that the check takes no longer in a file with many
// variables.
Result<Header> CdfLayout::around(const model::Schema& schema, const model::Variable& variable,
                                 Variable& out) const {
  Header header;
  header.version = version_;
  if (variable.dimensions.size() != variable.dims.size()) {
    return failure(Code::shape,
                   "variable {} has {} extents and {} dimensions: in classic netCDF files each has a name",
                   variable.path, variable.dims.size(), variable.dimensions.size());
  }
  header.dims.reserve(variable.dims.size());
  out.dims.reserve(variable.dims.size());
  for (size_t d = 0; d < variable.dims.size(); ++d) {
    const int id = variable.dimensions[d];
    if (id < 0 || static_cast<size_t>(id) >= schema.dimensions().all().size()) {
      return failure(Code::shape, "variable {} has the dimension id {}; the file has {} dimensions",
                     variable.path, id, schema.dimensions().all().size());
    }
    const model::Dimension& dimension = schema.dimensions()[id];
    if (!dimension.unlimited && dimension.extent != variable.dims[d]) {
      return failure(Code::shape, "variable {} has the extent {} along dimension \"{}\", which has {}",
                     variable.path, variable.dims[d], dimension.name, dimension.extent);
    }
    const auto length = dimension.unlimited ? uint64_t{0} : static_cast<uint64_t>(dimension.extent);
    out.dims.push_back(static_cast<uint32_t>(d));
    header.dims.push_back({dimension.name, length, dimension.unlimited});
  }
  return header;
}

Status CdfLayout::check_variable(const model::Schema& schema, model::Variable& variable) {
  SCORPIO_ASSIGN(const std::string path, model::normalise(variable.path));
  const std::string parent = model::parent(path);
  if (parent != "/") SCORPIO_TRY(check_group(schema, parent).with_context("variable " + path));
  SCORPIO_TRY(check_type(variable));
  Variable checked;
  checked.name = path.substr(1);
  SCORPIO_ASSIGN(checked.type, type_for(version_, variable.type.kind));
  SCORPIO_ASSIGN(const Header header, around(schema, variable, checked));
  SCORPIO_TRY(cdf::check_variable(header, checked));
  for (const auto& [attribute_name, attribute] : variable.attributes) {
    SCORPIO_ASSIGN(const Attribute converted, to_attribute(version_, attribute_name, attribute));
    SCORPIO_TRY(cdf::check_attribute(version_, {}, converted).with_context("variable " + path));
  }
  variable.type.order = model::ByteOrder::big;
  variable.records = is_record(header, checked);
  if (variable.records) variable.dims[0] = schema.dimensions().records();
  return {};
}

Status CdfLayout::check_attribute(const model::Schema& schema, const std::string& object,
                                  const std::string& name, const model::Attribute& attribute, bool defining) {
  if (attribute.strings) {
    return failure(Code::type,
                   "attribute \"{}\" of {} is a list of strings, which classic netCDF files lack; put one "
                   "string, or one attribute for each",
                   name, object);
  }
  SCORPIO_ASSIGN(const Attribute next, to_attribute(version_, name, attribute));
  SCORPIO_TRY(cdf::check_attribute(version_, {}, next));
  if (defining) return {};
  const model::Attributes* held = schema.objects().attributes(object);
  const auto old = held == nullptr ? model::Attributes::const_iterator() : held->find(name);
  if (held == nullptr || old == held->end()) {
    return failure(Code::state,
                   "attribute \"{}\" of {} is new: it can only be put in define mode, call "
                   "scorpio_define_begin before",
                   name, object);
  }
  const uint64_t room = padded_bytes(old->second.value.size());
  if (padded_bytes(next.values.size()) <= room) return {};
  return failure(
      Code::state,
      "attribute \"{}\" of {} would take {} bytes, its place has {}: longer values can only be put "
      "in define mode, call scorpio_define_begin before",
      name, object, next.values.size(), room);
}

Status CdfLayout::check_removal(const model::Schema& schema, const std::string& path, bool) {
  SCORPIO_ASSIGN(const std::string object, model::normalise(path));
  for (const int index : variables_of(schema)) {
    const model::Variable& variable = schema.variables()[index];
    if (!model::at_or_below(variable.path, object) || !placement(index).has_address()) continue;
    return failure(
        Code::unsupported,
        "variable {} has its place in the file: in {} files only variables that were defined since "
        "scorpio_define_begin can be removed; write a new file without it",
        variable.path, cdf::name(version_));
  }
  return {};
}

// A longer name may take what other names, values and removals have left of the header.
Status CdfLayout::check_rename(const model::Schema& schema, const std::string& old_name,
                               const std::string& name, bool defining) {
  SCORPIO_TRY(check_netcdf_name(name, "dimension, variable or attribute"));
  const uint64_t wanted = padded_bytes(name.size());
  const uint64_t had = padded_bytes(last_part(old_name).size());
  if (defining || wanted <= had) return {};
  SCORPIO_ASSIGN(const Header header, to_header(schema, version_));
  const uint64_t used = header_bytes(header);
  if (used + wanted - had <= header_room_) return {};
  return failure(Code::state,
                 "the name \"{}\" has {} bytes, its place {}: longer names can only be given in define mode, "
                 "call scorpio_define_begin before",
                 name, name.size(), had + (header_room_ - std::min(used, header_room_)));
}

// ---- locations ----

// `with_room` false: the free space may have been used.
Alignment CdfLayout::alignment(bool with_room) const {
  const PnetcdfHints hints{
      .header = options_.data_align, .variable = options_.variable_align, .record = options_.record_align};
  const Padding padding{.h_minfree = with_room ? options_.header_free : 0,
                        .v_align = 0,
                        .v_minfree = with_room ? options_.variable_free : 0,
                        .r_align = 0};
  return pnetcdf_alignment(hints, padding, true);
}

// Uses the present names, by which replace() identifies variables.
Header CdfLayout::old_header(const model::Schema& schema, uint64_t records) const {
  Header old = placed_->header;
  old.records = records;
  for (size_t i = 0; i < old.variables.size(); ++i) {
    const int index = placed_->variables[i];
    // A removed variable keeps its location, under a name that no other object has.
    old.variables[i].name =
        schema.variables().alive(index) ? name_of(schema.variables()[index]) : "/" + std::to_string(i);
  }
  return old;
}

Result<Rearrangement> CdfLayout::move_variables(const model::Schema& schema, Header& next,
                                                const std::vector<int>& variables) const {
  const Header old = old_header(schema, next.records);
  std::unordered_map<int, size_t> now_index;
  for (size_t i = 0; i < variables.size(); ++i) now_index[variables[i]] = i;
  std::vector<std::optional<size_t>> kept(old.variables.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    if (const auto found = now_index.find(placed_->variables[i]); found != now_index.end())
      kept[i] = found->second;
  }
  SCORPIO_ASSIGN(const Geometry was, Geometry::make(old));
  // The data of files by other libraries may begin at any multiple of 4, and stay there.
  Alignment undemanding = alignment(false);
  if (options_.data_align == 0) undemanding.data = k_padding_bytes;
  Rearrangement out;
  const Header unplaced = next;
  for (const Alignment& each : {alignment(false), undemanding, alignment(true)}) {
    next = unplaced;
    SCORPIO_TRY(replace(next, old, each));
    SCORPIO_ASSIGN(const Geometry now, Geometry::make(next));
    out = rearrangement(was, now, kept, next.records);
    if (!out.needed) break;
  }
  return out;
}

Result<Rearrangement> CdfLayout::end_definitions(const model::Schema& schema) {
  SCORPIO_TRY(unplaceable_);
  SCORPIO_ASSIGN(Header next, to_header(schema, version_));
  std::vector<int> variables = variables_of(schema);
  Rearrangement out;
  if (placed_.has_value()) {
    SCORPIO_ASSIGN(out, move_variables(schema, next, variables));
  } else {
    SCORPIO_TRY(cdf::place(next, alignment(true)));
  }
  SCORPIO_ASSIGN(const Geometry geometry, Geometry::make(next));
  for (size_t i = 0; i < variables.size(); ++i) {
    const uint64_t record_stride = geometry.variables()[i].record ? geometry.record_bytes() : 0;
    placements().set(variables[i], Placement::at(next.variables[i].begin, record_stride));
  }
  header_room_ = header_bytes(next);
  placed_ = Placed{std::move(next), std::move(variables)};
  return out;
}

Status CdfLayout::check_records(const std::string& variable, uint64_t records) const {
  const uint64_t most = limits(version_).records;
  if (records <= most) return {};
  return failure(Code::limit, "{} records for {}: a file of format cdf{} holds up to {}; {}", records,
                 variable, static_cast<int>(version_), most,
                 version_ == Version::cdf5 ? "give a lower record" : "use format cdf5");
}

uint64_t CdfLayout::end_of_data(const model::Schema& schema) const {
  uint64_t end = 0;
  for (int i = 0; i < schema.variables().count(); ++i) {
    const model::Variable& variable = schema.variables()[i];
    const uint64_t records = variable.records ? static_cast<uint64_t>(variable.dims[0]) : 1;
    if (!schema.variables().alive(i) || !placement(i).has_address() || records == 0) continue;
    end = std::max(end, placement(i).end(records, variable.slab_bytes()).value_or(k_offset_limit));
  }
  return end;
}

}  // namespace
}  // namespace cdf

std::unique_ptr<Layout> make_cdf_layout(cdf::Version version, const cdf::LayoutOptions& options) {
  return std::make_unique<cdf::CdfLayout>(version, options);
}

}  // namespace scorpio::format
