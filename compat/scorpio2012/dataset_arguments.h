// The arguments that reads and writes of datasets have in common, as the C and Fortran faces hand them on.
// Local.
#pragma once

#include "group.h"
#include "meeting.h"

namespace scorpio2012 {

struct DatasetArguments {
  Family family;
  int type;
  std::optional<Extents> global;  // extents are none where they are wrong
  std::optional<Extents> local;
  std::optional<Extents> start;
  int handle;
  const char* name;
};

// Where a call on a file happens; NULL where the handle is not open on this rank.
struct Place {
  Group* group;
  OpenFile* file;
};

// Both NULL when `shown` is no group.
Place place_of(const iogroup_t* shown, int handle);

// A call on a file; NULL names and closed handles are errors of this rank.
Proposal propose(std::string_view function, const Place& place, int handle, const char* name);

// The same with type and extents of the dataset.
Proposal propose(std::string_view function, const Place& place, const DatasetArguments& arguments);

// Whether this rank's buffer is there, if it holds anything.
bool has_buffer(const std::optional<Layout>& layout, const void* buffer);

}  // namespace scorpio2012
