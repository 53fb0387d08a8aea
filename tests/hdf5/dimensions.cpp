#include "dimensions.h"

#include <fmt/format.h>

#include <algorithm>

namespace scorpio::format::test {

std::string dimensions_of(const model::Schema& schema) {
  std::string text;
  for (const model::Dimension& dimension : schema.dimensions().all()) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}{}", dimension.name, dimension.extent, dimension.unlimited ? "+" : "");
  }
  return text;
}

NamedDims named_dims(const model::Schema& schema) {
  NamedDims names;
  for (int i = 0; i < schema.variables().count(); ++i) {
    if (!schema.variables().alive(i)) continue;
    const model::Variable& variable = schema.variables()[i];
    std::vector<std::string>& own = names[variable.path];
    for (const int dimension : variable.dimensions) {
      own.push_back(dimension < 0 ? "-" : schema.dimensions().all().at(static_cast<size_t>(dimension)).name);
    }
  }
  return names;
}

std::vector<std::string> attributes_in_order(const model::Schema& schema, const std::string& object) {
  const model::Attributes& attributes = *schema.objects().attributes(object);
  std::vector<std::string> names(attributes.size());
  for (const auto& [name, attribute] : attributes) names.at(attribute.order - 1) = name;
  return names;
}

std::string ncdump(const std::string& path, const std::string& options) {
  std::string output;
  EXPECT_EQ(run("ncdump " + options + " " + path, &output), 0) << output;
  std::string text;
  for (size_t from = output.find('\n') + 1; from < output.size();) {
    const size_t end = std::min(output.find('\n', from), output.size());
    const size_t first = std::min(output.find_first_not_of(" \t", from), end);
    if (first < end) text.append(output, first, end - first).append("\n");
    from = end + 1;
  }
  return text;
}

void ncgen(const std::string& path, const std::string& text) {
  const std::string source = path + ".cdl";
  std::ofstream(source) << text;
  std::string output;
  ASSERT_EQ(run("ncgen -k nc4 -o " + path + " " + source, &output), 0) << output;
}

const std::string& python_with_h5py() {
  static const std::string python = [] {
    const char* given = std::getenv("SCORPIO_PYTHON");
    const std::string name = given == nullptr ? "" : given;
    return !name.empty() && run(name + " -c 'import h5py'") == 0 ? name : std::string();
  }();
  return python;
}

std::string scales_by_h5py(const std::string& path) {
  const std::string& python = python_with_h5py();
  if (python.empty()) return {};
  const std::string script = path + ".py";
  std::ofstream(script) << R"(
import sys, h5py
scales, ends = {}, set()
def visit(name, it):
    if not isinstance(it, h5py.Dataset): return
    if it.is_scale:
        back = scales['/' + name] = {(f[ref].name, at) for ref, at in it.attrs.get('REFERENCE_LIST', [])}
        for end, at in list(back)[:9]:
            assert h5py.h5ds.is_attached(f[end].id, it.id, at), (name, at)
    else:
        ends.update((scale.name, '/' + name, at) for at, dim in enumerate(it.dims) for scale in dim.values())
with h5py.File(sys.argv[1]) as f:
    f.visititems(visit)
assert ends == {(scale, *end) for scale in scales for end in scales[scale]}, (ends, scales)
for scale in scales:
    print(f"{scale}: {' '.join(f'{name}[{at}]' for name, at in sorted(scales[scale]))}".strip())
)";
  std::string output;
  EXPECT_EQ(run(python + " " + script + " " + path, &output), 0) << output;
  return output;
}

void expect_scales(const std::string& path, const std::string& expected) {
  const std::string found = scales_by_h5py(path);
  if (!found.empty()) {
    EXPECT_EQ(found, expected);
  }
}

}  // namespace scorpio::format::test
