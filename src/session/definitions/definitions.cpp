#include "session/definitions/definitions.h"

#include <algorithm>
#include <optional>

#include "base/id_range.h"
#include "model/path.h"
#include "model/string_elements.h"
#include "session/definitions/add_variable.h"

namespace scorpio::session {

Status Definitions::define_group(const std::string& path) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("group {}", path));
  return steps_.define([&] { return core_.contents.layout().check_group(core_.contents.schema(), path); },
                       [&] { return core_.contents.schema().add_group(path); });
}

Result<int> Definitions::define_dimension(const std::string& name, int64_t extent) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("dimension {} {}", name, extent));
  const Result<int> index = add_dimension(name, extent);
  SCORPIO_TRY(steps_.end(index.status()));
  return index;
}

// A name with a slash is a path.
Result<int> Definitions::add_dimension(const std::string& name, int64_t extent) {
  const bool unlimited = extent < 0;
  model::Dimension dimension{name, unlimited ? 0 : extent, unlimited};
  if (name.find('/') != std::string::npos) {
    SCORPIO_ASSIGN(const std::string path, model::normalise(name));
    dimension.name = model::leaf(path);
    dimension.group = model::parent(path);
  }
  SCORPIO_TRY(core_.calls.check(FileState::Event::add));
  const bool has_group = core_.contents.schema().objects().has_group(dimension.group);
  if (!has_group) SCORPIO_TRY(core_.contents.layout().check_group(core_.contents.schema(), dimension.group));
  SCORPIO_TRY(core_.contents.layout().check_dimension(core_.contents.schema(), dimension));
  if (!has_group) SCORPIO_TRY(core_.contents.schema().add_group(dimension.group));
  return core_.contents.schema().add_dimension(std::move(dimension));
}

Result<int> Definitions::add_variable(model::Variable&& variable) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::add));
  const bool filled = fill_mode_ && !model::holds_strings(variable);
  variable.filled = filled;
  SCORPIO_ASSIGN(const int index, session::add_variable(core_.contents.schema(), core_.contents.layout(),
                                                        std::move(variable)));
  SCORPIO_TRY(core_.contents.layout().place(core_.contents.schema(), index));
  if (filled || core_.contents.layout().traits().define_mode) fills_.mark_new(index);
  return index;
}

Result<int> Definitions::define_variable(const std::string& path, const model::ElementType& type,
                                         std::vector<int64_t> dims) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  if (core_.setting.eager())
    SCORPIO_TRY(steps_.compare("variable {} {} ({})", path, model::to_string(type), fmt::join(dims, ", ")));
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  variable.dims = std::move(dims);
  const Result<int> index = add_variable(std::move(variable));
  SCORPIO_TRY(steps_.end(index.status()));
  SCORPIO_TRY(filter_by_rules(*index));
  return index;
}

Result<int> Definitions::define_variable_on(const std::string& path, const model::ElementType& type,
                                            const std::vector<int>& dimensions) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  if (core_.setting.eager())
    SCORPIO_TRY(
        steps_.compare("variable {} {} on ({})", path, model::to_string(type), fmt::join(dimensions, ", ")));
  model::Variable variable;
  variable.path = path;
  variable.type = type;
  SCORPIO_ASSIGN(const int index, add_variable_on(std::move(variable), dimensions));
  SCORPIO_TRY(filter_by_rules(index));
  return index;
}

Result<int> Definitions::define_texts_on(const std::string& path, const std::vector<int>& dimensions) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("variable {} of strings on ({})", path, fmt::join(dimensions, ", ")));
  if (core_.setting.eager())
    return steps_.end(
        failure(Code::unsupported,
                "{} is an eager file: the application defines its variables of strings through the live id",
                core_.contents.path()));
  return add_variable_on(model::variable_of_strings(path), dimensions);
}

Result<int> Definitions::add_variable_on(model::Variable&& variable, const std::vector<int>& dimensions) {
  variable.dimensions = dimensions;
  variable.dims.reserve(dimensions.size());
  const auto known = core_.contents.schema().dimensions().count();
  for (const int dimension : dimensions) {
    if (dimension < 0 || dimension >= known) {
      return steps_.end(failure(Code::handle, "dimension id {} of variable {} does not exist ({})", dimension,
                                variable.path, id_range(known)));
    }
    variable.dims.push_back(core_.contents.schema().dimensions()[dimension].extent);
  }
  const Result<int> index = add_variable(std::move(variable));
  SCORPIO_TRY(steps_.end(index.status()));
  return index;
}

Status Definitions::define_link(const std::string& path, const std::string& target) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("link {} {}", path, target));
  return steps_.define([&] { return core_.contents.layout().check_link(core_.contents.schema(), path); },
                       [&] { return core_.contents.schema().add_link(path, target); });
}

Status Definitions::remove(const std::string& path) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("remove {}", path));
  if (core_.setting.eager()) SCORPIO_TRY(inquiry_.refresh(path));
  return steps_.define(
      [&] {
        return core_.contents.layout().check_removal(core_.contents.schema(), path,
                                                     core_.calls.state().defining());
      },
      [&] { return core_.contents.schema().remove(path); });
}

namespace {

// Other programs interpret the bytes of the value as an element of the variable's type.
Status check_fill_value(const model::Schema& schema, const std::string& object, const std::string& name,
                        const model::Attribute& attribute) {
  if (name != model::k_fill_value) return {};
  const std::optional<int> index = schema.objects().find_variable(object);
  if (!index) return {};
  const model::Variable& variable = schema.variables()[*index];
  const bool one = attribute.value.size() == attribute.type.size_bytes;
  if (one && attribute.type.kind == variable.type.kind && !attribute.strings) return {};
  return failure(Code::type,
                 "{} of {} must be one value of type {}, as the variable's; this is {} of type {}", name,
                 object, model::to_string(variable.type), attribute.value.size() / attribute.type.size_bytes,
                 model::to_string(attribute.type));
}

}  // namespace

Status Definitions::put_attribute(const std::string& path, const std::string& name,
                                  model::Attribute&& attribute) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  if (core_.setting.eager()) {
    const auto* const text = reinterpret_cast<const char*>(attribute.value.data());
    SCORPIO_TRY(steps_.compare("attribute {} {} {}{} ({}) {}", path, name,
                               attribute.strings ? "list of " : "", model::to_string(attribute.type),
                               fmt::join(attribute.dims, ", "),
                               std::string_view(text, attribute.value.size())));
  }
  // The paths of ids are absolute already.
  if (!core_.setting.eager() && core_.contents.schema().objects().links().empty() && path.starts_with('/'))
    return put_attribute_there(path, name, std::move(attribute));
  const Result<std::string> object = inquiry_.followed(path);
  if (!object.ok()) return steps_.end(object.status());
  return put_attribute_there(*object, name, std::move(attribute));
}

// No soft link is to be followed to `object`.
Status Definitions::put_attribute_there(const std::string& object, const std::string& name,
                                        model::Attribute&& attribute) {
  const auto check = [&] {
    SCORPIO_TRY(check_fill_value(core_.contents.schema(), object, name, attribute));
    return core_.contents.layout().check_attribute(core_.contents.schema(), object, name, attribute,
                                                   core_.calls.state().defining());
  };
  const std::vector<std::string> now_protected = filter_choice_.note(object, name, attribute);
  SCORPIO_TRY(marking_losses(object, name, [&] {
    return steps_.define(
        check, [&] { return core_.contents.schema().put_attribute(object, name, std::move(attribute)); });
  }));
  return make_lossless(now_protected);
}

Status Definitions::remove_attribute(const std::string& path, const std::string& name) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("remove attribute {} {}", path, name));
  const Result<std::string> object = inquiry_.followed(path);
  if (!object.ok()) return steps_.end(object.status());
  return marking_losses(*object, name,
                        [&] { return steps_.end(core_.contents.schema().remove_attribute(*object, name)); });
}

Status Definitions::rename_dimension(int dimension, const std::string& name) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("dimension {} is {}", dimension, name));
  const bool known = dimension >= 0 && dimension < core_.contents.schema().dimensions().count();
  const std::string old = known ? core_.contents.schema().dimensions()[dimension].name : name;
  return steps_.define(
      [&] {
        return core_.contents.layout().check_rename(core_.contents.schema(), old, name,
                                                    core_.calls.state().defining());
      },
      [&] { return core_.contents.schema().rename_dimension(dimension, name); });
}

Status Definitions::rename_variable(int index, const std::string& name) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("variable {} is {}", index, name));
  const Result<const model::Variable*> found = core_.contents.variable(index);
  if (!found.ok()) return steps_.end(found.status());
  if (core_.setting.eager()) {
    return steps_.end(failure(Code::unsupported, "{} is an eager file: its variables cannot be renamed",
                              core_.contents.path()));
  }
  const std::string old = model::leaf((*found)->path);
  SCORPIO_TRY(steps_.define(
      [&] {
        return core_.contents.layout().check_rename(core_.contents.schema(), old, name,
                                                    core_.calls.state().defining());
      },
      [&] { return core_.contents.schema().rename_variable(index, name); }));
  const std::string& path = core_.contents.schema().variables()[index].path;
  return filter_choice_.is_protected(path) ? make_lossless({path}) : Status();
}

Status Definitions::rename_attribute(const std::string& path, const std::string& name,
                                     const std::string& new_name) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("attribute {} {} is {}", path, name, new_name));
  const Result<std::string> object = inquiry_.followed(path);
  if (!object.ok()) return steps_.end(object.status());
  const auto check = [&] {
    SCORPIO_TRY(core_.contents.layout().check_attribute_name(core_.contents.schema(), *object, new_name));
    return core_.contents.layout().check_rename(core_.contents.schema(), name, new_name,
                                                core_.calls.state().defining());
  };
  return steps_.define(check,
                       [&] { return core_.contents.schema().rename_attribute(*object, name, new_name); });
}

Status Definitions::no_eager_fill() const {
  return failure(
      Code::unsupported,
      "{} is an eager file: its variables are created when they are defined, and cannot have fill mode",
      core_.contents.path());
}

Status Definitions::set_fill_mode(bool filled) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("fill mode {}", filled));
  if (filled && core_.setting.eager()) return no_eager_fill();
  fill_mode_ = filled;
  return {};
}

Status Definitions::define_fill(int index, bool filled, const void* value) {
  SCORPIO_TRY(core_.calls.check(FileState::Event::change));
  SCORPIO_TRY(steps_.compare("fill of variable {} {}", index, filled));
  SCORPIO_ASSIGN(const model::Variable* found, core_.contents.variable(index));
  if (filled && core_.setting.eager()) return no_eager_fill();
  if (filled && model::holds_strings(*found))
    return steps_.end(
        failure(Code::type, "{} holds strings of variable length, and has no fill value", found->path));
  if (filled || filled != found->filled || value != nullptr) {
    Status late = core_.calls.check(FileState::Event::add);
    if (late.ok() &&
        (!core_.contents.schema().pending().is_new_variable(index) || fills_.may_have_data(index))) {
      late = failure(Code::state, "{} may have data already; fill is chosen when it is defined", found->path);
    }
    if (!late.ok()) return steps_.end(late);
  }
  if (value != nullptr) {
    model::Attribute attribute;
    attribute.type = model::native(found->type.kind, found->type.size_bytes);
    const auto* bytes = static_cast<const std::byte*>(value);
    attribute.value.assign(bytes, bytes + found->type.size_bytes);
    SCORPIO_TRY(put_attribute(found->path, model::k_fill_value, std::move(attribute)));
  }
  fills_.mark_new(index);
  return steps_.end(core_.contents.schema().set_filled(index, filled));
}

}  // namespace scorpio::session
