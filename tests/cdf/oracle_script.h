// Scripts for the oracle program (oracle/oracle_main.c), and what comes back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "format/cdf/alignment.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf::test {

class OracleScript {
 public:
  void line(const std::string& text) { text_ += text + "\n"; }
  void create(const std::string& path, Version version);
  // Hints nc_*_align_size of the file that is created next.
  void hints(const PnetcdfHints& hints);
  // What `header` has beyond `before`; the values of its attributes as native elements.
  void define(const Header& header, const Header& before = {});
  // Without padding: nc_enddef.
  void end_definitions(const std::optional<Padding>& padding);
  // Makes the file's number of records what `header` says, if it has a record variable.
  void records(const Header& header);
  // All elements of all variables; those of variable i have the bytes data_byte(i).
  void write_all(const Header& header);
  static int data_byte(size_t variable) { return static_cast<int>(1 + variable); }

  // Runs `program` and returns one answer per file: "0", or an error number and a line.
  std::vector<std::string> run(const std::string& program) const;
  const std::string& text() const { return text_; }

 private:
  void attribute(int variable, const Attribute& attribute);
  std::string text_;
};

// All that a program prints, and its exit code.
struct Answer {
  int exit_code = -1;
  std::string output;
};
Answer answer_of(const std::string& command);

std::vector<std::byte> first_bytes(const std::string& path, size_t size);

}  // namespace scorpio::format::cdf::test
