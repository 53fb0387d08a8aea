#include "format/hdf5/loader.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "format/hdf5/attributes.h"
#include "format/hdf5/dataspace.h"
#include "format/hdf5/dimension_reader.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/header_form.h"
#include "format/hdf5/netcdf4_marks.h"
#include "format/hdf5/scales.h"
#include "format/hdf5/stored_form.h"
#include "format/hdf5/types.h"
#include "format/hdf5/visitor.h"
#include "model/extents.h"
#include "model/path.h"

namespace scorpio::format::hdf5 {
namespace {

using model::Schema;

// Identifies an object, whatever its name is.
std::string identity(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  if (H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0) return {};
  return {reinterpret_cast<const char*>(&info.token), sizeof(info.token)};
#else
  H5O_info_t info;
  if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0) return {};
  return std::to_string(info.addr);
#endif
}

struct Link {
  std::string name;
  H5L_type_t type;
  int64_t order;  // of its creation; 0: the group does not record it
};

struct Links {
  std::vector<Link> links;
  VisitorException exception;
};

herr_t collect_link(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto* found = static_cast<Links*>(data);
  return found->exception.keep([&] {
    found->links.push_back({name, info->type, info->corder_valid ? info->corder : 0});
    return 0;
  });
}

// In another order than its own HDF5 1.10 lists the members in a table first, and may end the program where
// the file is damaged.
Result<std::vector<Link>> links_of(hid_t group, const std::string& path) {
  Links found;
  hsize_t position = 0;
  const herr_t done = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &position, collect_link, &found);
  found.exception.rethrow();
  if (done < 0) return library_failure(Code::format, "the members of group " + path + " cannot be listed");
  std::ranges::sort(found.links, {}, [](const Link& link) { return std::tie(link.order, link.name); });
  return std::move(found.links);
}

Result<model::SoftLink> read_link(hid_t group, const std::string& name) {
  H5L_info_t info;
  if (H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) < 0) {
    return library_failure(Code::format, "soft link " + name + " cannot be read");
  }
  std::string target(info.u.val_size, '\0');
  if (H5Lget_val(group, name.c_str(), target.data(), target.size(), H5P_DEFAULT) < 0) {
    return library_failure(Code::format, "soft link " + name + " cannot be read");
  }
  target.resize(target.find('\0') == std::string::npos ? target.size() : target.find('\0'));
  return model::SoftLink{.target = std::move(target)};
}

Result<Dataset> read_dataset(hid_t dataset, const std::string& path) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const TypeFacts facts = examine_type(type.get());
  SCORPIO_ASSIGN(Shape shape, examine_space(space.get()));
  model::Variable variable;
  variable.path = path;
  variable.type = facts.type;
  variable.dims = std::move(shape.dims);
  variable.extensible = shape.unlimited;
  // An array of more than 2^63 - 1 bytes cannot be described.
  SCORPIO_TRY(model::array_bytes(variable.dims, variable.type.size_bytes).status());
  SCORPIO_ASSIGN(variable.attributes, read_attributes(dataset));
  variable.small_attributes = has_old_header(dataset);
  Placement placement = examine_form(dataset, facts, variable);
  SCORPIO_ASSIGN(Dataset out, examine_dimensions(dataset, std::move(variable)));
  out.placement = std::move(placement);
  return out;
}

// Takes the place of an object that cannot be read.
Dataset unreadable_dataset(const std::string& path, const Status& why) {
  Dataset dataset;
  model::Variable& variable = dataset.variable;
  variable.path = path;
  variable.type = model::native(model::Kind::opaque);
  variable.foreign_type = "of an object that cannot be opened";
  variable.unreadable = why.text();
  variable.storage.form = model::Storage::Form::unknown;
  dataset.placement = Placement::by_library(variable.foreign_type);
  return dataset;
}

// Groups of a damaged file could otherwise use up the stack.
constexpr int k_deepest_group = 500;
// Members of groups that have another name.
constexpr size_t k_most_repeated = 100000;

class Loader {
 public:
  // Fails before any member of the group is loaded, or not at all.
  Status walk_group(hid_t group, const std::string& path) {
    SCORPIO_ASSIGN(const std::vector<Link> links, links_of(group, path));
    SCORPIO_TRY(add_group(group, path));
    const bool first = visited_.insert(identity(group)).second;
    // Many names of a large group would otherwise need the product of memory on all ranks.
    if (!first && (repeated_ += links.size()) > k_most_repeated) return {};
    for (const Link& link : links) {
      // A name that is legal in HDF5 but not in a path ("..") is not visible.
      const auto member = model::normalise(path + "/" + link.name);
      if (!member.ok()) continue;
      if (first) {
        walk_link(group, *member, link);
      } else {
        schema_.found_other(*member, "a member of a group that has another name");
      }
    }
    return {};
  }

  Status add_group(hid_t group, const std::string& path) {
    SCORPIO_ASSIGN(model::Attributes attributes, read_attributes(group));
    if (path != "/") {
      SCORPIO_TRY(schema_.add_group(path));
    } else {
      of_root_ = attributes;
      for (const char* name : {k_provenance, k_classic_model}) attributes.erase(name);
      number_in_order(attributes);
    }
    schema_.found_attributes(path, std::move(attributes));
    if (has_old_header(group)) schema_.found_small_attributes(path);
    return {};
  }

  Status add_dataset(hid_t id, const std::string& path) {
    SCORPIO_ASSIGN(Dataset dataset, read_dataset(id, path));
    has_ids_ = has_ids_ || dataset.id || !dataset.coordinates.empty();
    datasets_.push_back(std::move(dataset));
    return {};
  }

  // An object that cannot be read does not prevent the others from being loaded.
  void add_unreadable(const std::string& path, const Status& why) {
    datasets_.push_back(unreadable_dataset(path, why));
  }

  Status add_link(hid_t group, const std::string& name, const std::string& path) {
    SCORPIO_ASSIGN(model::SoftLink link, read_link(group, name));
    return schema_.add_link(path, link.target);
  }

  Result<DimensionTable> define_dimensions(Growing growing) {
    return reader_.define(datasets_, schema_, growing);
  }
  void recall_dimensions(hid_t file, const DimensionTable& table) { reader_.recall(file, table); }

  // Called before take().
  Netcdf4Marks marks(hid_t file) {
    const Netcdf4Marks marks = marks_of(file, of_root_, has_ids_);
    if (marks.classic_model) schema_.found_restricted();
    return marks;
  }

  // Objects other than variables were added to the schema when they were found.
  Result<Contents> take() {
    Placements placements;
    std::set<std::string> taken;
    for (const Dataset& dataset : datasets_) {
      if (!dataset.bare) taken.insert(dataset.variable.path);
    }
    for (Dataset& dataset : datasets_) {
      if (dataset.bare) continue;
      reader_.name(dataset, schema_.variables().count());
      std::string& path = dataset.variable.path;
      if (is_beside(path) && is_free(plain(path)) && taken.insert(plain(path)).second) path = plain(path);
      SCORPIO_ASSIGN(const int index, schema_.add_variable(std::move(dataset.variable)));
      placements.set(index, std::move(dataset.placement));
    }
    schema_.clear_pending();
    return Contents{std::move(schema_), std::move(placements), {}};
  }

 private:
  void walk_link(hid_t group, const std::string& path, const Link& link) {
    if (link.type != H5L_TYPE_SOFT && link.type != H5L_TYPE_HARD) {
      const bool external = link.type == H5L_TYPE_EXTERNAL;
      schema_.found_other(path, external ? "a link to another file" : "a link that a program has defined");
      return;
    }
    const Status walked =
        link.type == H5L_TYPE_SOFT ? add_link(group, link.name, path) : walk_object(group, link.name, path);
    if (!walked.ok()) add_unreadable(path, walked);
  }

  Status walk_object(hid_t group, const std::string& name, const std::string& path) {
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid()) return library_failure(Code::format, "HDF5 cannot open it");
    switch (H5Iget_type(object.get())) {
      case H5I_GROUP: {
        if (depth_ == k_deepest_group)
          return failure(Code::limit, "groups are read to a depth of {}", k_deepest_group);
        ++depth_;
        const Status walked = walk_group(object.get(), path);
        --depth_;
        return walked;
      }
      case H5I_DATASET:
        return add_dataset(object.get(), path);
      default:
        schema_.found_other(path, k_named_type);
        return {};
    }
  }

  bool is_free(const std::string& path) const {
    return !schema_.dimensions().all().empty() && !schema_.objects().has_group(path) &&
           !schema_.objects().links().contains(path);
  }

  Schema schema_;
  std::set<std::string> visited_;
  size_t repeated_ = 0;  // members that were found again
  int depth_ = 0;        // of the group that is walked
  std::vector<Dataset> datasets_;
  DimensionReader reader_;
  model::Attributes of_root_;
  bool has_ids_ = false;
};

}  // namespace

Result<Contents> load_contents(hid_t file, DimensionTable& dimensions, Growing growing) {
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!root.valid()) return library_failure(Code::format, "the root group cannot be opened");
  Loader loader;
  SCORPIO_TRY(loader.walk_group(root.get(), "/"));
  SCORPIO_ASSIGN(dimensions, loader.define_dimensions(growing));
  const Netcdf4Marks marks = loader.marks(file);
  SCORPIO_ASSIGN(Contents contents, loader.take());
  if (marks.netcdf4) contents.format = "netcdf4";
  return contents;
}

namespace {

bool is_soft_link(hid_t file, const std::string& path) {
  H5L_info_t info;
  if (path == "/") return false;
  if (H5Lget_info(file, path.c_str(), &info, H5P_DEFAULT) >= 0) return info.type == H5L_TYPE_SOFT;
  H5Eclear2(H5E_DEFAULT);
  return false;
}

}  // namespace

Result<Contents> load_object(hid_t file, const std::string& spelling, const DimensionTable& dimensions) {
  SCORPIO_ASSIGN(const std::string path, model::normalise(spelling));
  Loader loader;
  if (is_soft_link(file, path)) {
    SCORPIO_TRY(loader.add_link(file, path, path));
    return loader.take();
  }
  const Handle object(H5Oopen(file, locate(file, path).c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) {
    const Status why = library_failure(Code::format, "HDF5 cannot open it");
    H5L_info_t info;
    if (path == "/" || H5Lget_info(file, path.c_str(), &info, H5P_DEFAULT) < 0 ||
        info.type != H5L_TYPE_HARD) {
      H5Eclear2(H5E_DEFAULT);
      return failure(Code::not_found, "there is no {} in the file", path);
    }
    loader.add_unreadable(path, why);
    return loader.take();
  }
  const H5I_type_t kind = H5Iget_type(object.get());
  if ((kind != H5I_GROUP && kind != H5I_DATASET) || (kind == H5I_DATASET && is_bare_scale(object.get()))) {
    return failure(Code::not_found, "{} is neither a group nor a variable", path);
  }
  if (kind == H5I_GROUP) SCORPIO_TRY(loader.add_group(object.get(), path));
  if (kind == H5I_DATASET) SCORPIO_TRY(loader.add_dataset(object.get(), path));
  loader.recall_dimensions(file, dimensions);
  return loader.take();
}

}  // namespace scorpio::format::hdf5
