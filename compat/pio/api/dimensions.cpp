// Dimensions and the contents of a file. Local.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pio/base/define.h"
#include "pio/base/names.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"
#include "pio/file/string_elements.h"

using namespace scorpio_pio;

namespace {

constexpr Meaning k_dimension{PIO_EBADDIM, PIO_EBADDIM, PIO_EDIMSIZE};

int dimension_code(int native) {
  if (native == SCORPIO_ERR_LIMIT) {
    (void)natively(native);
    return fail_with(PIO_EDIMSIZE, reason());
  }
  return natively(native, k_dimension);
}

int dimension_count(File& file, int* count) {
  const int native = scorpio_dimension_count(file.native(), count);
  *count += file.definitions().dimension_ids().size();
  return natively(native);
}

struct DimensionFacts {
  std::string name;
  int64_t length = 0;
  bool unlimited = false;
};

// netCDF-C shows dimensions without names too.
int find_facts(File& file, int dimension, DimensionFacts& facts) {
  if (const PhonyDimension* phony = file.definitions().dimension_ids().phony(dimension); phony != nullptr) {
    facts = {phony->name, phony->length, phony->unlimited};
    return PIO_NOERR;
  }
  char name[PIO_MAX_NAME + 1] = "";
  int unlimited = 0;
  const int native = file.definitions().dimension_ids().native(dimension);
  const int code = natively(
      scorpio_dimension_inquire(file.native(), native, name, sizeof name, nullptr, &facts.length, &unlimited),
      k_dimension);
  facts.name = name;
  facts.unlimited = unlimited != 0;
  if (facts.unlimited) facts.length = std::max(facts.length, file.records(native));
  return code;
}

// The first one; a classic file has at most one. -1 if there is none.
int unlimited_of(File& file) {
  const std::vector<int> all = file.definitions().unlimited_dimensions();
  return all.empty() ? -1 : all.front();
}

int describe_dimension(File& file, int dimension, char* name, PIO_Offset* length) {
  DimensionFacts facts;
  const int code = find_facts(file, dimension, facts);
  if (code != PIO_NOERR) return code;
  if (name != nullptr) name[facts.name.copy(name, PIO_MAX_NAME)] = '\0';
  if (length != nullptr) *length = facts.length;
  return PIO_NOERR;
}

// Also of a dimension without a name in the file.
bool has_dimension(File& file, const char* name) {
  int id = -1;
  return scorpio_dimension_find(file.native(), name, &id) == SCORPIO_OK ||
         file.definitions().dimension_ids().find(name) != DimensionIds::k_none;
}

// As netCDF-C: names of classic files have no slashes; a path of a netCDF-4 file leads from its root to a
// dimension of a group.
int check_path_of_dimension(const File& file, std::string_view name) {
  const size_t last = name.rfind('/');
  if (last == std::string_view::npos) return PIO_NOERR;
  if (file.is_classic()) return fail(PIO_EBADDIM, file.path(), " has no groups, and no dimension ", name);
  if (name.front() == '/' && last > 0) return PIO_NOERR;
  return fail(PIO_EINVAL, name, " is neither the name of a dimension nor its path, such as /group/name");
}

// Of a dimension that was not found.
int not_found_by_path(File& file, const std::string& name) {
  const size_t last = name.rfind('/');
  if (last == std::string::npos) return not_found("dimension", name.c_str(), PIO_EBADDIM);
  int kind = SCORPIO_OBJECT_NONE;
  (void)scorpio_object_find(file.native(), name.substr(0, last).c_str(), &kind, nullptr);
  if (kind == SCORPIO_OBJECT_GROUP) return PIO_EBADDIM;
  return fail(PIO_ENOGRP, file.path(), " has no group ", name.substr(0, last));
}

int no_name(File& file, int dimension) {
  return fail(
      PIO_EBADDIM, file.path(), ": dimension ", dimension, " (",
      file.definitions().dimension_ids().phony(dimension)->name,
      ") has no name in the file, and can be neither renamed nor given to a new variable; define another");
}

int inq_counts(File& file, int* ndims, int* nvars, int* natts, int* unlimited) {
  int unused = 0;
  int code = dimension_count(file, ndims != nullptr ? ndims : &unused);
  if (code == PIO_NOERR)
    code = natively(scorpio_file_variables(file.native(), nullptr, 0, nvars != nullptr ? nvars : &unused));
  if (code == PIO_NOERR)
    code =
        natively(scorpio_attribute_count(file.native(), SCORPIO_GLOBAL, natts != nullptr ? natts : &unused));
  if (code == PIO_NOERR && unlimited != nullptr) *unlimited = unlimited_of(file);
  return code;
}

// The interface has no names of types for the files of PnetCDF, which programs compare with what they got.
const char* type_name(const File& file, nc_type type) {
  return file.iotype() == PIO_IOTYPE_PNETCDF && file.is_classic() ? "some type" : name_of(type);
}

}  // namespace

PIOC(int, inq, (int ncid, int* ndimsp, int* nvarsp, int* ngattsp, int* unlimdimidp)) {
  return file_inquiry(ncid,
                      [&](File& file) { return inq_counts(file, ndimsp, nvarsp, ngattsp, unlimdimidp); });
}

PIOC(int, inq_ndims, (int ncid, int* ndimsp)) {
  return file_inquiry(ncid, [&](File& file) { return inq_counts(file, ndimsp, nullptr, nullptr, nullptr); });
}

PIOC(int, inq_nvars, (int ncid, int* nvarsp)) {
  return file_inquiry(ncid, [&](File& file) { return inq_counts(file, nullptr, nvarsp, nullptr, nullptr); });
}

PIOC(int, inq_natts, (int ncid, int* ngattsp)) {
  return file_inquiry(ncid, [&](File& file) { return inq_counts(file, nullptr, nullptr, ngattsp, nullptr); });
}

PIOC(int, inq_unlimdim, (int ncid, int* unlimdimidp)) {
  return file_inquiry(ncid,
                      [&](File& file) { return inq_counts(file, nullptr, nullptr, nullptr, unlimdimidp); });
}

PIOC(int, inq_unlimdims, (int ncid, int* nunlimdimsp, int* unlimdimidsp)) {
  return file_inquiry(ncid, [&](File& file) {
    const std::vector<int> all = file.definitions().unlimited_dimensions();
    if (unlimdimidsp != nullptr) std::ranges::copy(all, unlimdimidsp);
    if (nunlimdimsp != nullptr) *nunlimdimsp = static_cast<int>(all.size());
    return PIO_NOERR;
  });
}

PIOC(int, inq_type, (int ncid, nc_type xtype, char* name, PIO_Offset* sizep)) {
  return handled_file_inquiry(__func__, ncid, [&](File& file) {
    const auto element = xtype == PIO_STRING ? k_string : element_of(xtype);
    if (!element) return fail(PIO_EBADTYPE, xtype, " is not a type");
    const std::string_view text = type_name(file, xtype);
    if (name != nullptr) name[text.copy(name, PIO_MAX_NAME)] = '\0';
    if (sizep != nullptr) *sizep = static_cast<PIO_Offset>(element->bytes);
    return PIO_NOERR;
  });
}

PIOC(int, def_dim, (int ncid, const char* name, PIO_Offset len, int* idp)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (const int wrong = file.definitions().check_mode(); wrong != PIO_NOERR) return wrong;
    if (const int wrong = check_new_name("dimension", name); wrong != PIO_NOERR) return wrong;
    if (len < 0) return fail(PIO_EDIMSIZE, "dimension ", name, " has length ", len);
    if (len == PIO_UNLIMITED && file.is_classic() && unlimited_of(file) >= 0)
      return fail(PIO_EUNLIMIT, "dimension ", name, ": the file has an unlimited dimension already");
    int id = -1;
    Definition definition;
    definition.kind = Definition::Kind::dimension;
    definition.name = name;
    definition.length = len == PIO_UNLIMITED ? int64_t{SCORPIO_UNLIMITED} : len;
    if (file.is_writable() && file.definitions().dimension_ids().find(name) != DimensionIds::k_none)
      return fail(PIO_ENAMEINUSE, file.path(), " has a dimension ", name, " already");
    const int code = dimension_code(file.definitions().define(std::move(definition), &id));
    if (code != PIO_NOERR) return code;
    if (idp != nullptr) *idp = file.definitions().dimension_ids().of_native(id);
    return PIO_NOERR;
  });
}

PIOC(int, inq_dim, (int ncid, int dimid, char* name, PIO_Offset* lenp)) {
  return file_inquiry(ncid, [&](File& file) { return describe_dimension(file, dimid, name, lenp); });
}

PIOC(int, inq_dimid, (int ncid, const char* name, int* idp)) {
  return file_inquiry(ncid, [&](File& file) {
    if (name == nullptr) return fail(PIO_EINVAL, "the name of the dimension is NULL");
    if (const int wrong = check_path_of_dimension(file, name); wrong != PIO_NOERR) return wrong;
    int id = -1;
    const int code = natively(scorpio_dimension_find(file.native(), name, &id), k_dimension);
    const int phony =
        code == PIO_EBADDIM ? file.definitions().dimension_ids().find(name) : DimensionIds::k_none;
    if (code == PIO_EBADDIM && phony == DimensionIds::k_none) return not_found_by_path(file, name);
    if (code != PIO_NOERR && code != PIO_EBADDIM) return code;
    if (idp != nullptr) *idp = code == PIO_NOERR ? file.definitions().dimension_ids().of_native(id) : phony;
    return PIO_NOERR;
  });
}

PIOC(int, inq_dimname, (int ncid, int dimid, char* name)) {
  return file_inquiry(ncid, [&](File& file) { return describe_dimension(file, dimid, name, nullptr); });
}

PIOC(int, inq_dimlen, (int ncid, int dimid, PIO_Offset* lenp)) {
  return file_inquiry(ncid, [&](File& file) { return describe_dimension(file, dimid, nullptr, lenp); });
}

PIOC(int, rename_dim, (int ncid, int dimid, const char* name)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (const int wrong = check_new_name("dimension", name); wrong != PIO_NOERR) return wrong;
    Definition definition;
    definition.kind = Definition::Kind::dimension_name;
    definition.object = dimid;
    definition.new_name = name;
    if (file.is_writable() && file.definitions().dimension_ids().phony(dimid) != nullptr)
      return no_name(file, dimid);
    if (file.is_writable() && has_dimension(file, name))
      return fail(PIO_ENAMEINUSE, file.path(), " has a dimension ", name, " already");
    if (file.definitions().needs_redef() &&
        file.definitions().length_of(dimid) == VariableFacts::Length::none)
      return fail(PIO_EBADDIM, file.path(), " has no dimension with the id ", dimid);
    if (const int code = file.definitions().check_room(definition); code != PIO_NOERR) return code;
    return dimension_code(file.definitions().define(std::move(definition)));
  });
}
