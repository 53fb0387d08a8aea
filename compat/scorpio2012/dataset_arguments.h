// The common arguments of reads and writes of datasets, as the C and Fortran interfaces pass them. Local.
#pragma once

#include <climits>

#include "group.h"
#include "proposal.h"

namespace scorpio2012 {

struct DatasetArguments {
  Family family;
  int type;
  std::optional<Extents> global;  // extents are none if they are invalid
  std::optional<Extents> local;
  std::optional<Extents> start;
  int handle;
  const char* name;
};

// The group and file of a call; NULL if the handle is not open on this rank.
struct Place {
  Group* group;
  OpenFile* file;
};

// The handle in calls that concern a group but no file.
constexpr int k_no_handle = INT_MIN;

// Both are NULL if `shown` is not a valid group. An invalid argument is a failure of this rank.
Place place_of(const iogroup_t* shown, int handle);

// A call on a file; NULL names and closed handles are failures of this rank.
Proposal propose(std::string_view function, const Place& place, int handle, const char* name);

// The same with type and extents of the dataset.
Proposal propose(std::string_view function, const Place& place, const DatasetArguments& arguments);

// ---- each returns 0, or -1 with the reason of this rank's failure ----
constexpr const char* k_wrong_extents =
    "the extents are wrong: there must be 1 to 32 dimensions, none of them NULL or negative";
constexpr const char* k_wrong_part =
    "this rank's part does not fit the dataset: look at localdims, starts or the index list";
std::string no_type(int type);
int check_writable(const Place& place);
int check_part(const std::optional<Layout>& layout, const void* buffer);

// Whether this rank has passed a buffer, if it has any elements.
bool has_buffer(const std::optional<Layout>& layout, const void* buffer);

}  // namespace scorpio2012
