// The file model as a classic netCDF header, and back. Local; pure.
//
//   model                                            file
//   variable "/name" (a '/' of old writers: "/a/b")  variable "name" ("a/b")
//   attribute text[n], one element                   NC_CHAR, n characters
//   attribute text[1] of extents {0}                 NC_CHAR, no characters
//   attribute of numbers, any shape                  as many numbers
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/cdf/header.h"
#include "format/contents.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format::cdf {

// Indices of the variables that the file has, in its order: those that were not removed.
std::vector<int> variables_of(const model::Schema& schema);

// The name in the file: the path without the root's slash.
std::string name_of(const model::Variable& variable);

// Code::type for what the version cannot hold, with what to do.
Result<Attribute> to_attribute(Version version, const std::string& name, const model::Attribute& attribute);

// Variables without an address begin at 0. Code::type as above; Code::unsupported for groups and links.
Result<Header> to_header(const model::Schema& schema, Version version, const Placements& placements = {});

// Nothing of it is pending. `file_bytes`: of the whole file, which says how many records there are where the
// header does not. Code::unsupported for names that the model cannot hold.
Result<Contents> to_contents(const Header& header, uint64_t file_bytes);

}  // namespace scorpio::format::cdf
