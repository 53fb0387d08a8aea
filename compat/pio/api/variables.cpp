// Variables: their definition, inquiry and fill values. Local.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "pio/base/define.h"
#include "pio/base/names.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"
#include "pio/file/storage.h"

using namespace scorpio_pio;

namespace {

constexpr Meaning k_variable{PIO_ENOTVAR, PIO_ENOTVAR, PIO_EINVAL};

// Only variables of numbers in netCDF-4 files can have unlimited dimensions that are not the first one; for
// others `misplaced` becomes true.
int check_dimensions(File& file, const char* name, nc_type xtype, int ndims, const int* dimids,
                     bool& misplaced) {
  if (ndims < 0 || (ndims > 0 && dimids == nullptr))
    return fail(PIO_EINVAL, "variable ", name, ": the number of dimensions is ", ndims,
                ", or their ids are NULL; give 0 or more, and their ids");
  constexpr int k_most_of_new = 32;  // as in HDF5
  if (ndims > k_most_of_new)
    return fail(PIO_EMAXDIMS, "variable ", name, " has ", ndims, " dimensions; at most ", k_most_of_new,
                " are possible");
  for (int i = 0; i < ndims; ++i) {
    if (const PhonyDimension* phony = file.definitions().dimension_ids().phony(dimids[i]); phony != nullptr)
      return fail(PIO_EBADDIM, "variable ", name, ": ", phony->name,
                  " has no name in the file, and no other variable can have it; define another dimension");
    const VariableFacts::Length length = file.definitions().length_of(dimids[i]);
    if (length == VariableFacts::Length::none)
      return fail(PIO_EBADDIM, "variable ", name, ": ", dimids[i], " is the id of no dimension");
    misplaced =
        length == VariableFacts::Length::unlimited && i > 0 && (file.is_classic() || xtype == PIO_STRING);
    if (misplaced)
      return fail(PIO_EINVAL, "variable ", name, ": its unlimited dimension (id ", dimids[i],
                  ") must be the first one, in Fortran the last one",
                  file.is_classic() ? "; files of the netCDF-4 I/O types can have it in any place" : "");
  }
  return PIO_NOERR;
}

// The path without the slash of the root group.
int copy_name(File& file, int varid, char* name, int namelen) {
  size_t length = 0;
  const int code = natively(scorpio_variable_path(file.native(), varid, nullptr, 0, &length), k_variable);
  if (code != PIO_NOERR || name == nullptr) return code;
  if (namelen <= 0) return fail(PIO_EINVAL, "the buffer of the name has ", namelen, " bytes; give 1 or more");
  std::string path(length + 1, '\0');
  (void)scorpio_variable_path(file.native(), varid, path.data(), path.size(), nullptr);
  path.resize(length);
  if (path.starts_with('/')) path.erase(0, 1);
  const size_t copied = path.copy(name, static_cast<size_t>(namelen) - 1);
  name[copied] = '\0';
  return PIO_NOERR;
}

int inquire(File& file, int varid, nc_type* xtypep, int* ndimsp, int* dimidsp, int* nattsp) {
  const Variable* variable = nullptr;
  int code = file.look_up(varid, variable);
  if (code != PIO_NOERR) return code;
  const int ndims = static_cast<int>(variable->extents.size());
  if (xtypep != nullptr) *xtypep = variable->type;
  if (ndimsp != nullptr) *ndimsp = ndims;
  if (dimidsp != nullptr && ndims > 0) {
    code = natively(scorpio_variable_dimensions(file.native(), varid, dimidsp, ndims), k_variable);
    if (code == PIO_NOERR) file.definitions().dimension_ids().translate(varid, dimidsp, ndims);
  }
  if (code == PIO_NOERR && nattsp != nullptr)
    code = natively(scorpio_attribute_count(file.native(), varid, nattsp), k_variable);
  return code;
}

// As the I/O type says.
int compress(File& file, int varid) {
  Variable variable;
  const int code = file.look_up(varid, variable);
  return code != PIO_NOERR ? code : define_compression(file, variable, false, 1);
}

// As the fill mode of an opened file says, which the underlying library has off.
int fill(File& file, int varid) {
  Definition definition;
  definition.kind = Definition::Kind::fill;
  definition.object = varid;
  definition.length = 1;
  return natively(file.definitions().define(std::move(definition)), k_variable);
}

// Of a variable of a classic file that may have data: the attribute alone changes, as with netCDF-C.
int set_fill_value(File& file, const Variable& variable, const std::string& value) {
  Definition definition;
  definition.kind = Definition::Kind::attribute;
  definition.object = variable.id;
  definition.name = "_FillValue";
  definition.length = 1;
  definition.stored = definition.memory = variable.type;
  definition.value = value;
  return natively(file.definitions().define(std::move(definition)), k_variable);
}

// What the file prescribes for a new variable.
int apply_settings(File& file, int varid, nc_type xtype, int ndims) {
  if (xtype == PIO_STRING) return PIO_NOERR;
  const Definitions& definitions = file.definitions();
  const int code =
      definitions.was_opened() && definitions.fill_mode() == PIO_FILL ? fill(file, varid) : PIO_NOERR;
  return code == PIO_NOERR && definitions.compresses() && ndims > 0 ? compress(file, varid) : code;
}

// The value belongs to the caller, as with netCDF-C.
int fill_of_strings(int* no_fill, void* value) {
  if (no_fill != nullptr) *no_fill = 0;
  if (value == nullptr) return PIO_NOERR;
  char* const text = strdup("");
  if (text == nullptr) return fail(PIO_ENOMEM, "there is no memory for the fill value");
  *static_cast<char**>(value) = text;
  return PIO_NOERR;
}

// Classic files do not say which variables are filled. netCDF-C and PnetCDF take those of an opened file as
// filled.
bool counts_as_filled(const File& file, int varid) {
  return file.is_classic() && file.definitions().was_there(varid);
}

}  // namespace

// An unlimited dimension that is not the first one is returned under every error handler.
PIOC(int, def_var, (int ncid, const char* name, nc_type xtype, int ndims, const int* dimidsp, int* varidp)) {
  bool misplaced = false;
  const int result = quiet_file_change(ncid, [&](File& file) {
    if (const int wrong = file.definitions().check_mode(); wrong != PIO_NOERR) return wrong;
    if (const int wrong = check_new_name("variable", name); wrong != PIO_NOERR) return wrong;
    const bool possible = element_of(xtype) || (xtype == PIO_STRING && !file.is_classic());
    if (!possible) return fail(PIO_EBADTYPE, "variable ", name, ": ", xtype, " is not a type of variables");
    int code = check_dimensions(file, name, xtype, ndims, dimidsp, misplaced);
    if (code != PIO_NOERR) return code;
    int id = -1;
    Definition definition;
    definition.kind = Definition::Kind::variable;
    definition.name = name;
    definition.stored = xtype;
    if (ndims > 0) definition.dimensions.assign(dimidsp, dimidsp + ndims);
    code = natively(file.definitions().define(std::move(definition), &id), k_variable);
    if (code != PIO_NOERR) return code;
    if (varidp != nullptr) *varidp = id;
    return apply_settings(file, id, xtype, ndims);
  });
  return misplaced ? result : handled_of_file(ncid, __func__, result);
}

PIOC(int, inq_varid, (int ncid, const char* name, int* varidp)) {
  return file_inquiry(ncid, [&](File& file) {
    if (name == nullptr) return fail(PIO_EINVAL, "the name of the variable is NULL");
    if (*name == '\0') return fail(PIO_ENOTVAR, "no variable has an empty name");
    int id = -1;
    const int code = natively(scorpio_variable_find(file.native(), name, &id), k_variable);
    if (code == PIO_NOERR && varidp != nullptr) *varidp = id;
    return code != PIO_ENOTVAR ? code : not_found("variable", name, code);
  });
}

PIOC(int, inq_var,
     (int ncid, int varid, char* name, int namelen, nc_type* xtypep, int* ndimsp, int* dimidsp,
      int* nattsp)) {
  return file_inquiry(ncid, [&](File& file) {
    const int code = copy_name(file, varid, name, namelen);
    return code != PIO_NOERR ? code : inquire(file, varid, xtypep, ndimsp, dimidsp, nattsp);
  });
}

PIOC(int, inq_varname, (int ncid, int varid, char* name, int namelen)) {
  return file_inquiry(ncid, [&](File& file) { return copy_name(file, varid, name, namelen); });
}

PIOC(int, inq_vartype, (int ncid, int varid, nc_type* xtypep)) {
  return file_inquiry(ncid,
                      [&](File& file) { return inquire(file, varid, xtypep, nullptr, nullptr, nullptr); });
}

PIOC(int, inq_varndims, (int ncid, int varid, int* ndimsp)) {
  return file_inquiry(ncid,
                      [&](File& file) { return inquire(file, varid, nullptr, ndimsp, nullptr, nullptr); });
}

PIOC(int, inq_vardimid, (int ncid, int varid, int* dimidsp)) {
  return file_inquiry(ncid,
                      [&](File& file) { return inquire(file, varid, nullptr, nullptr, dimidsp, nullptr); });
}

PIOC(int, inq_varnatts, (int ncid, int varid, int* nattsp)) {
  return file_inquiry(ncid, [&](File& file) {
    if (varid != PIO_GLOBAL) return inquire(file, varid, nullptr, nullptr, nullptr, nattsp);
    int unused = 0;
    return natively(
        scorpio_attribute_count(file.native(), SCORPIO_GLOBAL, nattsp != nullptr ? nattsp : &unused));
  });
}

PIOC(int, rename_var, (int ncid, int varid, const char* name)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (const int wrong = check_not_global(varid); wrong != PIO_NOERR) return wrong;
    if (const int wrong = check_new_name("variable", name); wrong != PIO_NOERR) return wrong;
    int other = -1;
    if (file.is_writable() && scorpio_variable_find(file.native(), name, &other) == SCORPIO_OK)
      return fail(PIO_ENAMEINUSE, file.path(), " has a variable ", name, " already");
    if (const int missing = file.definitions().needs_redef() ? file.check_variable(varid) : PIO_NOERR;
        missing != PIO_NOERR)
      return missing;
    Definition definition;
    definition.kind = Definition::Kind::variable_name;
    definition.object = varid;
    definition.new_name = name;
    if (const int code = file.definitions().check_room(definition); code != PIO_NOERR) return code;
    return natively(file.definitions().define(std::move(definition)), k_variable);
  });
}

PIOC(int, def_var_fill, (int ncid, int varid, int no_fill, const void* fill_value)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (no_fill != PIO_FILL && no_fill != PIO_NOFILL && no_fill != 1)
      return fail(PIO_EINVAL, no_fill, " is not a fill mode: PIO_FILL is 0, PIO_NOFILL is 256, and so is 1");
    if (const int wrong = check_not_global(varid); wrong != PIO_NOERR) return wrong;
    if (const int wrong = file.definitions().check_mode(); wrong != PIO_NOERR) return wrong;
    Variable variable;
    if (const int found = file.look_up(varid, variable); found != PIO_NOERR) return found;
    if (!file.is_classic() && file.is_writable() && !file.definitions().is_new_variable(varid))
      return fail(PIO_ELATEDEF, file.path(), ": variable ", varid, " is in the file already");
    if (variable.type == PIO_STRING)
      return fail(PIO_EBADTYPE, "variable ", varid, " holds strings, whose fill value is the empty string");
    Definition definition;
    definition.kind = Definition::Kind::fill;
    definition.object = varid;
    definition.length = no_fill != 0 ? 0 : 1;
    definition.has_value = no_fill == 0 && fill_value != nullptr;
    if (definition.has_value)
      definition.value.assign(static_cast<const char*>(fill_value), variable.element_bytes);
    const int native = file.definitions().define(definition);
    if (native != SCORPIO_ERR_STATE) return natively(native, k_variable);
    if (file.is_classic())
      return definition.has_value ? set_fill_value(file, variable, definition.value) : PIO_NOERR;
    (void)natively(native);
    return fail_with(PIO_ELATEFILL, reason());
  });
}

PIOC(int, inq_var_fill, (int ncid, int varid, int* no_fill, void* fill_valuep)) {
  return handled_file_inquiry(__func__, ncid, [&](File& file) {
    Variable variable;
    const int found = file.look_up(varid, variable);
    if (found != PIO_NOERR) return found;
    if (variable.type == PIO_STRING) return fill_of_strings(no_fill, fill_valuep);
    int filled = 0;
    const int code =
        natively(scorpio_variable_fill_inquire(file.native(), varid, &filled, fill_valuep,
                                               fill_valuep == nullptr ? 0 : variable.element_bytes),
                 k_variable);
    if (code == PIO_NOERR && no_fill != nullptr)
      *no_fill = filled != 0 || counts_as_filled(file, varid) ? 0 : 1;
    return code;
  });
}
