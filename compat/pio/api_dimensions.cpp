// Dimensions and the contents of a file. Local.
#include <algorithm>
#include <string>
#include <utility>

#include "calls.h"
#include "define.h"
#include "names.h"
#include "string_elements.h"
#include "types.h"

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

// The first unlimited dimension; a classic file has at most one. -1 if there is none.
int unlimited_of(File& file) {
  int count = 0;
  (void)scorpio_dimension_count(file.native(), &count);
  for (int dimension = 0; dimension < count; ++dimension) {
    int unlimited = 0;
    (void)scorpio_dimension_inquire(file.native(), dimension, nullptr, 0, nullptr, nullptr, &unlimited);
    if (unlimited != 0) return dimension;
  }
  return -1;
}

int length_of(File& file, int dimension, PIO_Offset* length) {
  int64_t extent = 0;
  int unlimited = 0;
  const int code =
      natively(scorpio_dimension_inquire(file.native(), dimension, nullptr, 0, nullptr, &extent, &unlimited),
               k_dimension);
  if (code == PIO_NOERR && length != nullptr)
    *length = unlimited != 0 ? std::max(extent, file.records(dimension)) : extent;
  return code;
}

int name_of_dimension(File& file, int dimension, char* name) {
  char unused = 0;
  return natively(
      scorpio_dimension_inquire(file.native(), dimension, name != nullptr ? name : &unused,
                                name != nullptr ? PIO_MAX_NAME + 1 : 1, nullptr, nullptr, nullptr),
      k_dimension);
}

int inq_counts(File& file, int* ndims, int* nvars, int* natts, int* unlimited) {
  int unused = 0;
  int code = natively(scorpio_dimension_count(file.native(), ndims != nullptr ? ndims : &unused));
  if (code == PIO_NOERR)
    code = natively(scorpio_file_variables(file.native(), nullptr, 0, nvars != nullptr ? nvars : &unused));
  if (code == PIO_NOERR)
    code =
        natively(scorpio_attribute_count(file.native(), SCORPIO_GLOBAL, natts != nullptr ? natts : &unused));
  if (code == PIO_NOERR && unlimited != nullptr) *unlimited = unlimited_of(file);
  return code;
}

}  // namespace

PIOC(int, inq, (int ncid, int* ndimsp, int* nvarsp, int* ngattsp, int* unlimdimidp)) {
  return inquiry(ncid, [&](File& file) { return inq_counts(file, ndimsp, nvarsp, ngattsp, unlimdimidp); });
}

PIOC(int, inq_ndims, (int ncid, int* ndimsp)) {
  return inquiry(ncid, [&](File& file) { return inq_counts(file, ndimsp, nullptr, nullptr, nullptr); });
}

PIOC(int, inq_nvars, (int ncid, int* nvarsp)) {
  return inquiry(ncid, [&](File& file) { return inq_counts(file, nullptr, nvarsp, nullptr, nullptr); });
}

PIOC(int, inq_natts, (int ncid, int* ngattsp)) {
  return inquiry(ncid, [&](File& file) { return inq_counts(file, nullptr, nullptr, ngattsp, nullptr); });
}

PIOC(int, inq_unlimdim, (int ncid, int* unlimdimidp)) {
  return inquiry(ncid, [&](File& file) { return inq_counts(file, nullptr, nullptr, nullptr, unlimdimidp); });
}

PIOC(int, inq_unlimdims, (int ncid, int* nunlimdimsp, int* unlimdimidsp)) {
  return inquiry(ncid, [&](File& file) {
    int count = 0;
    int found = 0;
    const int code = natively(scorpio_dimension_count(file.native(), &count));
    for (int dimension = 0; dimension < count; ++dimension) {
      int unlimited = 0;
      (void)scorpio_dimension_inquire(file.native(), dimension, nullptr, 0, nullptr, nullptr, &unlimited);
      if (unlimited == 0) continue;
      if (unlimdimidsp != nullptr) unlimdimidsp[found] = dimension;
      ++found;
    }
    if (nunlimdimsp != nullptr) *nunlimdimsp = found;
    return code;
  });
}

PIOC(int, inq_type, (int ncid, nc_type xtype, char* name, PIO_Offset* sizep)) {
  return checked_inquiry(__func__, ncid, [&](File&) {
    const auto element = xtype == PIO_STRING ? k_string : element_of(xtype);
    if (!element) return fail(PIO_EBADTYPE, xtype, " is no type");
    if (name != nullptr) std::string(name_of(xtype)).copy(name, PIO_MAX_NAME);
    if (name != nullptr) name[std::string(name_of(xtype)).size()] = '\0';
    if (sizep != nullptr) *sizep = static_cast<PIO_Offset>(element->bytes);
    return PIO_NOERR;
  });
}

PIOC(int, def_dim, (int ncid, const char* name, PIO_Offset len, int* idp)) {
  return local_call(__func__, ncid, [&](File& file) {
    if (const int wrong = check_new_name("dimension", name); wrong != PIO_NOERR) return wrong;
    if (len < 0) return fail(PIO_EDIMSIZE, "dimension ", name, " has length ", len);
    if (len == PIO_UNLIMITED && file.is_classic() && unlimited_of(file) >= 0)
      return fail(PIO_EUNLIMIT, "dimension ", name, ": the file has an unlimited dimension already");
    int id = -1;
    Definition definition;
    definition.kind = Definition::Kind::dimension;
    definition.name = name;
    definition.length = len == PIO_UNLIMITED ? int64_t{SCORPIO_UNLIMITED} : len;
    int code = file.check_room(definition);
    if (code == PIO_NOERR) code = dimension_code(file.define(std::move(definition), &id));
    if (code != PIO_NOERR) return code;
    if (idp != nullptr) *idp = id;
    return PIO_NOERR;
  });
}

PIOC(int, inq_dim, (int ncid, int dimid, char* name, PIO_Offset* lenp)) {
  return inquiry(ncid, [&](File& file) {
    const int code = name_of_dimension(file, dimid, name);
    return code != PIO_NOERR ? code : length_of(file, dimid, lenp);
  });
}

PIOC(int, inq_dimid, (int ncid, const char* name, int* idp)) {
  return inquiry(ncid, [&](File& file) {
    if (name == nullptr) return fail(PIO_EINVAL, "the name of the dimension is NULL");
    int id = -1;
    const int code = natively(scorpio_dimension_find(file.native(), name, &id), k_dimension);
    if (code == PIO_NOERR && idp != nullptr) *idp = id;
    return code != PIO_EBADDIM ? code : not_found("dimension", name, code);
  });
}

PIOC(int, inq_dimname, (int ncid, int dimid, char* name)) {
  return inquiry(ncid, [&](File& file) { return name_of_dimension(file, dimid, name); });
}

PIOC(int, inq_dimlen, (int ncid, int dimid, PIO_Offset* lenp)) {
  return inquiry(ncid, [&](File& file) { return length_of(file, dimid, lenp); });
}

PIOC(int, rename_dim, (int ncid, int dimid, const char* name)) {
  return local_call(__func__, ncid, [&](File& file) {
    if (const int wrong = check_new_name("dimension", name); wrong != PIO_NOERR) return wrong;
    Definition definition;
    definition.kind = Definition::Kind::dimension_name;
    definition.object = dimid;
    definition.new_name = name;
    if (const int code = file.check_room(definition); code != PIO_NOERR) return code;
    int other = -1;
    if (file.is_writable() && scorpio_dimension_find(file.native(), name, &other) == SCORPIO_OK)
      return fail(PIO_ENAMEINUSE, file.path(), " has a dimension ", name, " already");
    return dimension_code(file.define(std::move(definition)));
  });
}
