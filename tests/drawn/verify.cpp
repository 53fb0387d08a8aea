// Whole files compared with the model, and described for other readers.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "program.h"

namespace scorpio::drawn {

namespace {

void write_variable(const Variable& variable, std::ofstream& text, std::ofstream& bytes) {
  if (variable.removed) return;
  text << "variable " << variable.name << ' ' << variable.type << ' ' << bytes.tellp();
  for (const int64_t extent : variable.extents) text << ' ' << extent;
  text << '\n';
  const size_t size = bytes_of(variable.type);
  std::vector<std::byte> data(variable.elements.size() * size);
  std::string known;
  for (size_t i = 0; i < variable.elements.size(); ++i) {
    const Element& element = variable.elements[i];
    encode(element.known ? element.number : 0, variable.type, &data[i * size]);
    known += element.known ? '\1' : '\0';
  }
  bytes.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  bytes.write(known.data(), static_cast<std::streamsize>(known.size()));
}

// What is left of files after a rank was killed.
class Recovery {
 public:
  explicit Recovery(std::string folder) : folder_(std::move(folder)) {
    expect(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &system_), "iosystem_create");
  }
  ~Recovery() { expect(scorpio_iosystem_free(system_), "iosystem_free"); }
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  int failures() const { return failures_; }

  void read(const std::string& name) {
    name_ = name;
    scorpio_file* file = nullptr;
    for (const auto mode : {SCORPIO_WRITE, SCORPIO_READ}) {
      if (!expect(scorpio_file_open(system_, name.c_str(), mode, nullptr, &file), "open")) continue;
      std::vector<int> ids(200);
      int n = 0;
      expect(scorpio_file_variables(file, ids.data(), 200, &n), "variables");
      for (int i = 0; i < n; ++i) read(file, ids[static_cast<size_t>(i)]);
      expect(scorpio_file_close(file), "close");
    }
  }

  void replace(const std::string& name) {
    name_ = name;
    scorpio_file* file = nullptr;
    if (!expect(scorpio_file_create(system_, name.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file), "create"))
      return;
    expect(scorpio_file_close(file), "close of a new one");
    for (const char* suffix : {".scorpio-tmp", ".scorpio-journal"}) {
      if (std::filesystem::exists(name + suffix)) expect(SCORPIO_ERR_EXISTS, suffix);
    }
  }

 private:
  void read(scorpio_file* file, int id) {
    int64_t dims[k_most_dimensions] = {}, start[k_most_dimensions] = {};
    scorpio_type type{};
    size_t bytes = 0;
    expect(scorpio_variable_inquire(file, id, &type, &bytes, nullptr, dims, k_most_dimensions), "inquire");
    for (const int64_t extent : dims) bytes *= static_cast<size_t>(std::max<int64_t>(extent, 1));
    std::vector<std::byte> data(bytes);
    scorpio_access access = scorpio_hyperslab(id, start, dims, type, data.data());
    access.sharing = SCORPIO_ALL_RANKS;
    expect(scorpio_get(file, &access), "get");
  }

  bool expect(int code, const char* what) {
    if (code == SCORPIO_OK) return true;
    ++failures_;
    std::fprintf(stderr, "FAIL %s/%s: %s returned %d: %s\n", folder_.c_str(), name_.c_str(), what, code,
                 api_test::last_text().c_str());
    return false;
  }

  std::string folder_, name_;
  int failures_ = 0;
  scorpio_iosystem* system_ = nullptr;
};

}  // namespace

void Program::check_attributes(scorpio_file* handle, int id, const Attributes& attributes,
                               const std::string& of) const {
  for (const auto& [key, attribute] : attributes) {
    bool same = true;
    if (attribute.type == SCORPIO_TEXT) {
      std::vector<char> text(attribute.text.size() + 2);
      size_t length = 0;
      must(scorpio_attribute_get_text(handle, id, key.c_str(), text.data(), text.size(), &length),
           "attribute_get_text");
      same = std::string(text.data(), length) == attribute.text;
    } else {
      std::vector<double> got(attribute.numbers.size());
      must(scorpio_attribute_get(handle, id, key.c_str(), SCORPIO_FLOAT64, got.data(),
                                 got.size() * sizeof(double)),
           "attribute_get");
      for (size_t i = 0; i < got.size(); ++i)
        same = same && got[i] == static_cast<double>(attribute.numbers[i]);
    }
    if (!same) fail(of + ": attribute " + key + " has another value");
  }
}

// Variables, extents, attributes and elements, by gets on all ranks that have the file open.
void Program::verify(scorpio_file* handle, const Contents& contents, const std::string& name) const {
  check_attributes(handle, SCORPIO_GLOBAL, contents.attributes, name);
  for (const Variable& variable : contents.variables) {
    if (variable.removed) continue;
    int id = -1;
    must(scorpio_variable_find(handle, variable.name.c_str(), &id), "variable_find");
    check_attributes(handle, id, variable.attributes, name + " " + variable.name);
    scorpio_type type{};
    int ndims = 0;
    int64_t dims[k_most_dimensions] = {};
    must(scorpio_variable_inquire(handle, id, &type, nullptr, &ndims, dims, k_most_dimensions), "inquire");
    if (type != variable.type || static_cast<size_t>(ndims) != variable.extents.size() ||
        !std::equal(variable.extents.begin(), variable.extents.end(), dims)) {
      fail(name + " " + variable.name + ": another type or other extents");
    }
    Selection all;
    all.n = 1;
    all.start.assign(variable.extents.size(), 0);
    all.count = variable.extents;
    Place place{};
    for (size_t i = 0; i < variable.elements.size(); ++i) {
      all.places.push_back(place);
      all.buffer.push_back(i);
      for (size_t d = variable.extents.size(); d-- > 0 && ++place[d] == variable.extents[d];) place[d] = 0;
    }
    all.buffer_elements = variable.elements.size();
    std::vector<std::byte> got(all.buffer_elements * bytes_of(variable.type) + 1);
    scorpio_access access = access_of(all, id, variable.type, got.data());
    access.sharing = SCORPIO_ALL_RANKS;
    must(scorpio_get(handle, &access), "get of all");
    compare(variable, all, variable.type, got, name + " verified");
  }
}

// One rank reads a complete file for itself, through an I/O system of its own.
void Program::verify_alone(const std::string& name) {
  const int reader = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
  log("verify alone " + name);
  if (rank_ == reader) {
    scorpio_iosystem* system = nullptr;
    must(scorpio_iosystem_create(MPI_COMM_SELF, nullptr, &system), "iosystem of one rank");
    scorpio_file* handle = nullptr;
    must(scorpio_file_open(system, name.c_str(), SCORPIO_READ, nullptr, &handle), "open by one rank");
    verify(handle, disk_.at(name), name);
    must(scorpio_file_close(handle), "close by one rank");
    must(scorpio_iosystem_free(system), "iosystem_free of one rank");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void Program::check_shapes(File& file) {
  for (const Variable& variable : file.contents.variables) {
    if (variable.removed) continue;
    int64_t dims[k_most_dimensions] = {};
    int ndims = 0;
    must(
        scorpio_variable_inquire(file.handle, variable.id, nullptr, nullptr, &ndims, dims, k_most_dimensions),
        "inquire");
    for (size_t d = 0; d < variable.extents.size(); ++d) {
      if (dims[d] != variable.extents[d]) {
        fail(file.name + " " + variable.name + ": dimension " + std::to_string(d) + " has " +
             std::to_string(dims[d]) + ", not " + std::to_string(variable.extents[d]));
      }
    }
  }
}

bool Program::has_journal(const File& file) const {
  bool journal = !file.contents.eager;
  for (const Settings& settings : {file.settings, systems_[file.system].settings}) {
    for (const auto& [option, value] : settings)
      journal = journal && !(option == "journal" && value == "false");
  }
  return journal;
}

void Program::write_manifest() const {
  if (rank_ != 0) return;
  std::ofstream text(folder_ + "/sub/new-manifest"), bytes(folder_ + "/sub/new-elements", std::ios::binary);
  for (const auto& file : files_) {
    if (!file->writable) continue;
    text << (has_journal(*file) ? "doubtful " : "gone ") << file->name << '\n';
  }
  for (const auto& [name, contents] : disk_) {
    if (std::ranges::any_of(
            files_, [&, &called = name](const auto& file) { return file->writable && file->name == called; }))
      continue;
    if (posted_.contains(name)) {
      text << (posted_.at(name).journal ? "doubtful " : "gone ") << name << '\n';
      continue;
    }
    text << "file " << name << ' ' << contents.format << '\n';
    for (const auto& [key, attribute] : contents.attributes) {
      text << "attribute " << key << ' ' << (attribute.type == SCORPIO_TEXT ? "t" + attribute.text : "n");
      for (const Number number : attribute.numbers) text << ' ' << static_cast<double>(number);
      text << '\n';
    }
    for (const Variable& variable : contents.variables) write_variable(variable, text, bytes);
  }
  text.close();
  bytes.close();
  std::filesystem::rename(folder_ + "/sub/new-elements", folder_ + "/sub/elements");
  std::filesystem::rename(folder_ + "/sub/new-manifest", folder_ + "/sub/manifest");
}

int Program::recover(const std::string& folder) {
  std::filesystem::current_path(folder);
  Recovery recovery(folder);
  std::ifstream text("sub/manifest");
  std::string kind, name, line;
  while (std::getline(text, line)) {
    std::istringstream words(line);
    words >> kind >> name;
    if (kind == "doubtful" && std::filesystem::exists(name)) recovery.read(name);
    if (kind == "doubtful" || kind == "gone") recovery.replace(name);
  }
  return recovery.failures();
}

}  // namespace scorpio::drawn
