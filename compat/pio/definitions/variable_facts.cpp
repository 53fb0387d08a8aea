#include "pio/definitions/variable_facts.h"

#include <algorithm>
#include <utility>

#include "pio/base/failure.h"
#include "pio/base/types.h"

namespace scorpio_pio {

namespace {

constexpr int k_most_facts = 1 << 16;
constexpr int k_most_ahead = 64;

// Strings of fixed length are in HDF5 files of other programs.
void set_type(scorpio_file* file, int varid, scorpio_type type, Variable& variable) {
  int strings = 0;
  if (type == SCORPIO_OPAQUE) (void)scorpio_variable_strings_inquire(file, varid, &strings);
  variable.fixed_strings = type == SCORPIO_TEXT && variable.element_bytes != 1;
  variable.type = strings != 0 || variable.fixed_strings ? PIO_STRING : type_of(type);
}

}  // namespace

// Definitions add dimensions after those that are known.
void VariableFacts::learn_dimensions(scorpio_file* file) {
  if (knows_dimensions_) return;
  knows_dimensions_ = true;
  int count = 0;
  (void)scorpio_dimension_count(file, &count);
  for (; known_dimensions_ < count; ++known_dimensions_) {
    int unlimited = 0;
    (void)scorpio_dimension_inquire(file, known_dimensions_, nullptr, 0, nullptr, nullptr, &unlimited);
    if (unlimited != 0) unlimited_.push_back(known_dimensions_);
  }
}

VariableFacts::Length VariableFacts::length_of(scorpio_file* file, int dimension) {
  learn_dimensions(file);
  if (dimension < 0 || dimension >= known_dimensions_) return Length::none;
  return is_unlimited(dimension) ? Length::unlimited : Length::fixed;
}

int VariableFacts::ask(scorpio_file* file, int varid, Variable& variable) {
  constexpr int k_usual_dimensions = 8;
  int ndims = 0;
  scorpio_type type = SCORPIO_INT32;
  if (varid == k_rejected_id)
    return fail(PIO_EINTERNAL, "the id of a variable is less than 1, with which ids begin in Fortran");
  variable.id = varid;
  variable.record_dimension = -1;
  variable.records = 0;
  variable.inner.clear();
  variable.extents.resize(k_usual_dimensions);
  const int native = scorpio_variable_inquire(file, varid, &type, &variable.element_bytes, &ndims,
                                              variable.extents.data(), k_usual_dimensions);
  if (native != SCORPIO_OK) return natively(native, {PIO_ENOTVAR, PIO_ENOTVAR, PIO_EINVAL});
  if (ndims > PIO_MAX_VAR_DIMS)
    return fail(PIO_EMAXDIMS, "variable ", varid, " has ", ndims, " dimensions; at most ", PIO_MAX_VAR_DIMS,
                " are possible, and the arrays of programs have room for no more");
  variable.extents.resize(static_cast<size_t>(ndims));
  if (ndims > k_usual_dimensions)
    (void)scorpio_variable_inquire(file, varid, nullptr, nullptr, nullptr, variable.extents.data(), ndims);
  set_type(file, varid, type, variable);
  if (ndims == 0) return PIO_NOERR;
  learn_dimensions(file);
  if (unlimited_.empty()) return PIO_NOERR;
  std::vector<int> dimensions(variable.extents.size(), -1);
  (void)scorpio_variable_dimensions(file, varid, dimensions.data(), ndims);
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (!is_unlimited(dimensions[d])) continue;
    if (d > 0) {
      variable.inner.push_back({d, dimensions[d], variable.extents[d]});
      continue;
    }
    variable.record_dimension = dimensions[d];
    variable.records = variable.extents[d];
  }
  return PIO_NOERR;
}

int check_not_global(int varid) {
  if (varid != PIO_GLOBAL) return PIO_NOERR;
  return fail(PIO_EGLOBAL, "PIO_GLOBAL stands for the whole file; the call needs the id of a variable");
}

int check_known_type(const Variable& variable) {
  if (variable.type != PIO_NAT) return PIO_NOERR;
  return fail(
      PIO_EBADTYPE,
      "the elements of the variable have a type that the interface has no name for (compound, sequence, "
      "opaque, reference); read and write it with HDF5 or netCDF-C");
}

int VariableFacts::ask_for(scorpio_file* file, int varid) {
  Variable found;
  if (const int code = ask(file, varid, found); code != PIO_NOERR) return code;
  const auto n = static_cast<size_t>(varid);
  if (n >= facts_.size()) facts_.resize(n + 1);
  facts_[n] = {age_, std::move(found)};
  return PIO_NOERR;
}

// Programs go through the variables in order. Asking for several of them at once is faster than for one in
// each call, between other work.
int VariableFacts::look_up(scorpio_file* file, int varid, Variable*& variable) {
  if (varid < 0 || varid >= k_most_facts) {
    variable = &rare_;
    return ask(file, varid, rare_);
  }
  if (!is_known(varid)) {
    if (const int code = ask_for(file, varid); code != PIO_NOERR) return code;
    if (ahead_ > 1 && count_ < 0) (void)scorpio_file_variables(file, nullptr, 0, &count_);
    const int end = std::min({varid + ahead_, count_, k_most_facts});
    for (int next = varid + 1; next < end && (is_known(next) || ask_for(file, next) == PIO_NOERR);) ++next;
    ahead_ = std::min(2 * ahead_, k_most_ahead);
  }
  variable = &facts_[static_cast<size_t>(varid)].variable;
  return PIO_NOERR;
}

void VariableFacts::note_lengths(std::span<const Growth> lengths, bool written) {
  bool longer = false;
  for (const auto& [dimension, length] : lengths) {
    int64_t& reached = reached_[dimension];
    longer = longer || length > reached;
    if (written) reached = std::max(reached, length);
  }
  if (longer || !written) forget();
}

}  // namespace scorpio_pio
