// Definitions and inquiry.
#include "base/hash.h"
#include "base/id_range.h"
#include "comm/ballot.h"
#include "session/file.h"
#include "session/variable_access.h"

namespace scorpio::session {

namespace {

// Of all calls that define in an eager file, and of all that look at it: the ranks compare what they say.
constexpr const char* k_definition = "a definition";
constexpr const char* k_inquiry = "an inquiry";

}  // namespace

Status File::compare_texts(const std::string& call) {
  enter(k_definition);
  return comm::agree_equal(system_.comm(), Status(), fnv1a(call), k_definitions, {}, [&] { return call; });
}

// A definition whose arguments this rank could not even take.
Status File::reject(const Status& why) {
  if (eager_) {
    enter(k_definition);
    return comm::agree_equal(system_.comm(), why, 0, k_definitions, {},
                             [] { return "what it refuses"; });  // the others are in compare()
  }
  outcomes_.definition_failed(why);
  return why;
}

// Bookkeeping behind each definition: a failure is remembered, so that a sync point can say on which rank and
// why definitions differ; in an eager file the object is made at once.
Status File::defined(const Status& status) {
  if (eager_) return status.ok() ? publish() : status;
  if (!status.ok()) outcomes_.definition_failed(status);
  return status;
}

namespace {

struct NewVariable {
  comm::Most place;  // address + 1 of the variable just defined; 0: none
  auto fields() { return std::tie(place); }
};

}  // namespace

// Eager: the metadata rank makes what was defined and tells where variables lie; one agreement.
Status File::publish() {
  const auto scope = counted();
  const int last = schema_.variable_count() - 1;
  const bool unplaced = schema_.pending().is_new_variable(last);
  Status made;
  NewVariable variable;
  if (metadata_ != nullptr) {
    made = metadata_->apply(schema_, *layout_);
    const auto address = unplaced ? layout_->placement(last).address() : std::nullopt;
    if (made.ok() && address) variable.place = {*address + 1};
  }
  const Status agreed = comm::agree(system_.comm(), made, variable);
  if (!agreed.ok()) {
    // A client may have removed a group that was to hold it. The ranks go on from what the file has.
    schema_.discard_pending();
    return first_failure(agreed, share_schema());
  }
  schema_.settle();
  if (unplaced && variable.place.value > 0) {
    const uint64_t address = variable.place.value - 1;
    layout_->placements().set(last, format::Placement::at(address));
    layout_->raise(address + schema_.variable(last).bytes());
  }
  return {};
}

// `check` of the layout, then the change of the model.
template <typename Check, typename Change>
Status File::define(Check&& check, Change&& change) {
  const Status allowed = check();
  return defined(allowed.ok() ? change() : allowed);
}

Status File::define_group(const std::string& path) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("group {}", path));
  return define([&] { return layout_->check_group(schema_, path); }, [&] { return schema_.add_group(path); });
}

Result<int> File::define_dimension(const std::string& name, int64_t extent) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("dimension {} {}", name, extent));
  const bool unlimited = extent < 0;
  const model::Dimension dimension{name, unlimited ? 0 : extent, unlimited};
  Status status = first_failure(check(FileState::Event::add), layout_->check_dimension(schema_, dimension));
  if (!status.ok()) return defined(status);
  const Result<int> index = schema_.add_dimension(dimension);
  SCORPIO_TRY(defined(index.status()));
  return index;
}

// Dimensions of formats that know none without a name.
Result<std::vector<int>> File::named_dimensions(const std::vector<int64_t>& dims) {
  std::vector<int> dimensions;
  for (const int64_t extent : dims) {
    const model::Dimension dimension{fmt::format("dim_{}", extent), extent, false};
    const auto there = schema_.find_dimension(dimension.name);
    if (there && schema_.dimensions()[static_cast<size_t>(*there)].extent == extent) {
      dimensions.push_back(*there);
      continue;
    }
    SCORPIO_TRY(layout_->check_dimension(schema_, dimension));
    SCORPIO_ASSIGN(const int added, schema_.add_dimension(dimension));
    dimensions.push_back(added);
  }
  return dimensions;
}

// With dimensions of its own if it has none that are named.
Result<int> File::add_to_schema(model::Variable variable) {
  if (layout_->has_define_mode() && variable.dimensions.empty() && !variable.dims.empty()) {
    SCORPIO_ASSIGN(variable.dimensions, named_dimensions(variable.dims));
  }
  SCORPIO_TRY(layout_->check_variable(schema_, variable));
  return schema_.add_variable(std::move(variable));
}

Result<int> File::add_variable(model::Variable variable) {
  SCORPIO_TRY(check(FileState::Event::add));
  variable.filled = fill_mode_;
  const size_t dimensions = schema_.dimensions().size();
  const Result<int> added = add_to_schema(std::move(variable));
  if (!added.ok()) {
    schema_.drop_dimensions(dimensions);
    return added.status();
  }
  const int index = *added;
  SCORPIO_TRY(layout_->place(schema_, index));
  if (fill_mode_ || layout_->has_define_mode()) unfilled_.push_back(index);
  return index;
}

Result<int> File::define_variable(const std::string& path, const model::ElementType& type,
                                  std::vector<int64_t> dims) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("variable {} {} ({})", path, model::to_string(type), fmt::join(dims, ", ")));
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  variable.dims = std::move(dims);
  const Result<int> index = add_variable(std::move(variable));
  SCORPIO_TRY(defined(index.status()));
  return index;
}

Result<int> File::define_variable_on(const std::string& path, const model::ElementType& type,
                                     const std::vector<int>& dimensions) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("variable {} {} on ({})", path, model::to_string(type), fmt::join(dimensions, ", ")));
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  variable.dimensions = dimensions;
  const auto known = static_cast<int>(schema_.dimensions().size());
  for (const int dimension : dimensions) {
    if (dimension < 0 || dimension >= known) {
      return defined(failure(Code::handle, "dimension id {} of variable {} does not exist ({})", dimension,
                             path, id_range(known)));
    }
    variable.dims.push_back(schema_.dimensions()[static_cast<size_t>(dimension)].extent);
  }
  const Result<int> index = add_variable(std::move(variable));
  SCORPIO_TRY(defined(index.status()));
  return index;
}

Status File::define_link(const std::string& path, const std::string& target) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("link {} {}", path, target));
  return define([&] { return layout_->check_link(schema_, path); },
                [&] { return schema_.add_link(path, target); });
}

Status File::remove(const std::string& path) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("remove {}", path));
  if (eager_) SCORPIO_TRY(refresh(path));
  return define([&] { return layout_->check_removal(schema_, path, state_.defining()); },
                [&] { return schema_.remove(path); });
}

// What `path` means when soft links are followed.
Result<std::string> File::followed(const std::string& path) {
  if (eager_) SCORPIO_TRY(refresh(path));
  return schema_.follow(path);
}

namespace {

// Readers take the value as it stands for one of the variable's.
Status check_fill_value(const model::Schema& schema, const std::string& object, const std::string& name,
                        const model::Attribute& attribute) {
  if (name != model::k_fill_value) return {};
  const std::optional<int> index = schema.find_variable(object);
  if (!index) return {};
  const model::Variable& variable = schema.variable(*index);
  const bool one = attribute.value.size() == attribute.type.size_bytes;
  if (one && attribute.type.kind == variable.type.kind) return {};
  return failure(Code::type,
                 "{} of {} must be one value of type {}, as the variable's; this is {} of type {}", name,
                 object, model::to_string(variable.type), attribute.value.size() / attribute.type.size_bytes,
                 model::to_string(attribute.type));
}

}  // namespace

Status File::put_attribute(const std::string& path, const std::string& name, model::Attribute attribute) {
  SCORPIO_TRY(check(FileState::Event::change));
  const std::string_view value(reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size());
  SCORPIO_TRY(compare("attribute {} {} {} ({}) {}", path, name, model::to_string(attribute.type),
                      fmt::join(attribute.dims, ", "), value));
  const Result<std::string> object = followed(path);
  if (!object.ok()) return defined(object.status());
  const auto check = [&] {
    SCORPIO_TRY(check_fill_value(schema_, *object, name, attribute));
    return layout_->check_attribute(schema_, *object, name, attribute, state_.defining());
  };
  return define(check, [&] { return schema_.put_attribute(*object, name, std::move(attribute)); });
}

Status File::remove_attribute(const std::string& path, const std::string& name) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("remove attribute {} {}", path, name));
  const Result<std::string> object = followed(path);
  return defined(object.ok() ? schema_.remove_attribute(*object, name) : object.status());
}

Status File::rename_dimension(int dimension, const std::string& name) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("dimension {} is {}", dimension, name));
  const bool known = dimension >= 0 && dimension < static_cast<int>(schema_.dimensions().size());
  const std::string old = known ? schema_.dimensions()[static_cast<size_t>(dimension)].name : name;
  return define([&] { return layout_->check_rename(old, name, state_.defining()); },
                [&] { return schema_.rename_dimension(dimension, name); });
}

Status File::rename_variable(int index, const std::string& name) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("variable {} is {}", index, name));
  const Result<const model::Variable*> found = variable(index);
  if (!found.ok()) return defined(found.status());
  if (eager_) {
    return defined(failure(Code::unsupported, "{} is eager: its variables keep their names", path_));
  }
  const std::string old = model::Schema::leaf((*found)->path);
  return define([&] { return layout_->check_rename(old, name, state_.defining()); },
                [&] { return schema_.rename_variable(index, name); });
}

Status File::rename_attribute(const std::string& path, const std::string& name, const std::string& new_name) {
  SCORPIO_TRY(check(FileState::Event::change));
  SCORPIO_TRY(compare("attribute {} {} is {}", path, name, new_name));
  const Result<std::string> object = followed(path);
  if (!object.ok()) return defined(object.status());
  const auto check = [&] {
    SCORPIO_TRY(layout_->check_attribute_name(schema_, *object, new_name));
    return layout_->check_rename(name, new_name, state_.defining());
  };
  return define(check, [&] { return schema_.rename_attribute(*object, name, new_name); });
}

// ---- inquiry ----

// What a client may have done to `path` through the live id, told to all ranks.
Status File::refresh(const std::string& path) {
  const auto scope = counted();
  std::vector<std::byte> bytes;
  Status status;
  if (metadata_ != nullptr) {
    const Result<format::Contents> found = metadata_->library().inspect(path);
    status = found.status();
    if (found.ok()) bytes = format::serialise(found->schema, found->placements);
    if (status.code() == Code::not_found || status.code() == Code::name) status = {};
  }
  SCORPIO_TRY(comm::agree(system_.comm(), status));
  SCORPIO_TRY(system_.comm().broadcast(bytes, system_.metadata_rank()));
  if (bytes.empty()) {
    schema_.drop(path);
    return {};
  }
  SCORPIO_ASSIGN(const format::Contents found, format::deserialise(bytes));
  return format::adopt(schema_, layout_->placements(), found, path);
}

Result<int> File::find_variable(const std::string& path) {
  if (eager_) enter(k_inquiry);
  SCORPIO_ASSIGN(const std::string normal, followed(path));
  if (const auto index = schema_.find_variable(normal)) return *index;
  return failure(Code::not_found, "{} has no variable {}", path_, normal);
}

Result<const model::Attribute*> File::find_attribute(const std::string& object, const std::string& name) {
  if (eager_) enter(k_inquiry);
  SCORPIO_ASSIGN(const std::string normal, followed(object));
  const model::Attributes* attributes = schema_.attributes(normal);
  if (attributes == nullptr) return failure(Code::not_found, "{} has no group or variable {}", path_, normal);
  const auto at = attributes->find(name);
  if (at == attributes->end()) {
    return failure(Code::not_found, "{} of {} has no attribute '{}'", normal, path_, name);
  }
  return &at->second;
}

Result<File::ObjectKind> File::object_kind(const std::string& path) {
  if (eager_) enter(k_inquiry);
  if (eager_) SCORPIO_TRY(refresh(path));
  SCORPIO_ASSIGN(const std::string normal, model::Schema::normalise(path));
  const Result<std::string> target = schema_.follow(path);
  if (target.ok() && schema_.has_group(*target)) return ObjectKind::group;
  if (target.ok() && schema_.find_variable(*target)) return ObjectKind::variable;
  return schema_.links().contains(normal) ? ObjectKind::link : ObjectKind::none;
}

Status File::check_access(int index, bool reading) const {
  SCORPIO_ASSIGN(const model::Variable* found, variable(index));
  if (reading) return check_readable(*found);
  SCORPIO_TRY(check(FileState::Event::change));
  return check_overwritable(*found, layout_->placement(index));
}

Result<const model::Variable*> File::variable(int index) const {
  if (index < 0 || index >= schema_.variable_count() || !schema_.alive(index)) {
    return failure(Code::handle, "variable id {} of {} does not exist ({}{})", index, path_,
                   id_range(schema_.variable_count()),
                   schema_.variable_count() == 0 ? "" : ", without removed ones");
  }
  return &schema_.variable(index);
}

}  // namespace scorpio::session
