#include "oracle_script.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "format/cdf/byte_order.h"
#include "format/cdf/geometry.h"
#include "format/cdf/type.h"
#include "samples.h"
#include "support/temporary_folder.h"

namespace scorpio::format::cdf::test {
namespace {

std::string hex(const std::string& text) { return to_hex(text.data(), text.size()); }

}  // namespace

void OracleScript::create(const std::string& path, Version version) {
  line(fmt::format("create {} {}", path, static_cast<int>(version)));
}

void OracleScript::hints(const PnetcdfHints& hints) {
  if (hints.header > 0) line(fmt::format("hint nc_header_align_size {}", hints.header));
  if (hints.variable > 0) line(fmt::format("hint nc_var_align_size {}", hints.variable));
  if (hints.record > 0) line(fmt::format("hint nc_record_align_size {}", hints.record));
}

void OracleScript::attribute(int variable, const Attribute& attribute) {
  const size_t width = size_bytes(attribute.type);
  auto native = attribute.values;
  swap_in_place(native.data(), width, native.size() / width);
  const std::string values = native.empty() ? "-" : to_hex(native.data(), native.size());
  line(fmt::format("att {} {} {} {} {}", variable, hex(attribute.name), static_cast<int>(attribute.type),
                   native.size() / width, values));
}

void OracleScript::define(const Header& header, const Header& before) {
  for (size_t i = before.dims.size(); i < header.dims.size(); ++i) {
    line(fmt::format("dim {} {}", hex(header.dims[i].name), header.dims[i].length));
  }
  for (size_t i = before.attributes.size(); i < header.attributes.size(); ++i)
    attribute(-1, header.attributes[i]);
  for (size_t i = before.variables.size(); i < header.variables.size(); ++i) {
    const Variable& variable = header.variables[i];
    std::string ids;
    for (const uint32_t id : variable.dims) ids += fmt::format(" {}", id);
    line(fmt::format("var {} {} {}{}", hex(variable.name), static_cast<int>(variable.type),
                     variable.dims.size(), ids));
    for (const Attribute& each : variable.attributes) attribute(static_cast<int>(i), each);
  }
}

void OracleScript::end_definitions(const std::optional<Padding>& padding) {
  if (!padding.has_value()) return line("enddef");
  line(fmt::format("enddef {} {} {} {}", padding->h_minfree, padding->v_align, padding->v_minfree,
                   padding->r_align));
}

void OracleScript::records(const Header& header) {
  for (size_t i = 0; i < header.variables.size() && header.records > 0; ++i) {
    if (!is_record(header, header.variables[i])) continue;
    return line(fmt::format("records {} {} {}", i, header.variables[i].dims.size(), header.records));
  }
}

void OracleScript::write_all(const Header& header) {
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const Variable& variable = header.variables[i];
    std::string counts;
    for (const uint32_t id : variable.dims) {
      const Dimension& dimension = header.dims[id];
      counts += fmt::format(" {}", dimension.unlimited ? header.records : dimension.length);
    }
    line(fmt::format("write {} {} {}{}", i, data_byte(i), variable.dims.size(), counts));
  }
}

std::vector<std::string> OracleScript::run(const std::string& program) const {
  const scorpio::test::TemporaryFolder folder;
  const std::string script = folder / "script";
  std::ofstream(script) << text_;
  std::istringstream answers(answer_of(program + " < " + script).output);
  std::vector<std::string> out;
  for (std::string answer; std::getline(answers, answer);) out.push_back(answer);
  return out;
}

Answer answer_of(const std::string& command) {
  Answer answer;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  std::array<char, 4096> piece{};
  for (size_t size = 0; (size = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
    answer.output.append(piece.data(), size);
  }
  const int status = pclose(pipe);
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

std::vector<std::byte> first_bytes(const std::string& path, size_t size) {
  std::ifstream in(path, std::ios::binary);
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<size_t>(in.gcount()));
  return bytes_of(text);
}

}  // namespace scorpio::format::cdf::test
