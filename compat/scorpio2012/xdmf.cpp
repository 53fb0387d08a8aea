#include "xdmf.h"

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "common.h"

namespace scorpio2012 {

namespace {

struct Dataset {
  std::string path;
  const char* number_type;
  size_t precision;
  bool operator==(const Dataset&) const = default;
};

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

using Shape = std::vector<hsize_t>;
using DatasetsByShape = std::map<Shape, std::vector<Dataset>>;

// An HDF5 id and the function that closes it.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), closer_(closer) {}
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  herr_t (*closer_)(hid_t);
};

// The NumberType of XDMF 3: Float, Int, UInt, Char or UChar. NULL if there is none for the type.
const char* number_type(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT) return "Float";
  if (kind != H5T_INTEGER) return nullptr;
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  if (H5Tget_size(type) == 1) return is_signed ? "Char" : "UChar";
  return is_signed ? "Int" : "UInt";
}

void add_dataset(hid_t file, const char* name, DatasetsByShape& found) {
  const Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int ndims = H5Sget_simple_extent_ndims(space.get());
  if (ndims < 1 || ndims > 3 || H5Sget_simple_extent_npoints(space.get()) == 0) return;
  Shape shape(static_cast<size_t>(ndims));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  const char* const numbers = number_type(type.get());
  if (numbers != nullptr) found[shape].push_back({std::string("/") + name, numbers, H5Tget_size(type.get())});
}

// C++ exceptions must not pass through HDF5.
herr_t visit(hid_t file, const char* name, const ObjectInfo* info, void* found) {
  try {
    if (info->type == H5O_TYPE_DATASET) add_dataset(file, name, *static_cast<DatasetsByShape*>(found));
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string joined(const Shape& shape) {
  std::string out;
  for (const hsize_t extent : shape) out += (out.empty() ? "" : " ") + std::to_string(extent);
  return out;
}

void add_values(std::ostream& out, const std::string& file_name, const Shape& shape, const Dataset& dataset) {
  out << "      <Attribute Name=\"" << escaped(dataset.path)
      << "\" AttributeType=\"Scalar\" Center=\"Node\">\n        <DataItem Format=\"HDF\" NumberType=\""
      << dataset.number_type << "\" Precision=\"" << dataset.precision << "\" Dimensions=\"" << joined(shape)
      << "\">" << escaped(file_name + ":" + dataset.path) << "</DataItem>\n      </Attribute>\n";
}

// Each shape is a box of unit cells in three dimensions; a dimension that the shape lacks has one point.
void add_grid(std::ostream& out, const std::string& file_name, const Shape& shape,
              const std::vector<Dataset>& datasets) {
  Shape box(3 - shape.size(), 1);
  box.insert(box.end(), shape.begin(), shape.end());
  out << "    <Grid Name=\"" << joined(shape) << "\" GridType=\"Uniform\">\n"
      << "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" << joined(box) << "\"/>\n"
      << "      <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
      << "        <DataItem Dimensions=\"3\">0 0 0</DataItem>\n"
      << "        <DataItem Dimensions=\"3\">1 1 1</DataItem>\n      </Geometry>\n";
  for (const Dataset& dataset : datasets) add_values(out, file_name, shape, dataset);
  out << "    </Grid>\n";
}

std::string document(const std::string& file_name, const DatasetsByShape& datasets) {
  std::ostringstream out;
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n";
  for (const auto& [shape, same_shape] : datasets) add_grid(out, file_name, shape, same_shape);
  out << "  </Domain>\n</Xdmf>\n";
  return out.str();
}

// The file gets its name when it is complete.
int replace_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".new";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out.fail() && std::rename(temporary.c_str(), path.c_str()) == 0) return 0;
  (void)std::remove(temporary.c_str());
  return k_failure;
}

}  // namespace

int write_xdmf(hid_t file, const std::string& path) {
  DatasetsByShape datasets;
  const herr_t visited = H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, visit, &datasets);
  if (visited < 0) return k_failure;
  return replace_file(path + ".xmf", document(path.substr(path.rfind('/') + 1), datasets));
}

}  // namespace scorpio2012
