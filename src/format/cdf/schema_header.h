// Converts a schema to a classic netCDF header, and back. Local; pure.
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

// The indices of the variables of the file, in its order; removed variables are left out.
std::vector<int> variables_of(const model::Schema& schema);

// The name in the file: the path without its first slash.
std::string name_of(const model::Variable& variable);

// Code::type, with a remedy, for a type that the version cannot hold.
Result<Attribute> to_attribute(Version version, const std::string& name, const model::Attribute& attribute);

// Variables without an address have begin 0. Code::type as above; Code::unsupported for groups and links.
Result<Header> to_header(const model::Schema& schema, Version version, const Placements& placements = {});

// No object is pending. `file_bytes`: the size of the file, which determines the number of records if the
// header does not have it. Code::unsupported for names that the schema cannot hold.
Result<Contents> to_contents(const Header& header, uint64_t file_bytes);

}  // namespace scorpio::format::cdf
