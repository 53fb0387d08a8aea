// Defines or finds a variable, writes the parts of all ranks, and syncs: the part of every write after the
// comparison of the calls (meeting.h). Collective; one thread.
#pragma once

#include "group.h"

namespace scorpio2012 {

struct StoredVariable {
  std::string path;
  Element element;
  Extents dims;
  bool may_exist;  // if it exists, it must have this type and these extents
};

struct LocalPart {
  std::optional<Layout> layout;
  const void* buffer;
  bool keep_layout;
};

// Returns the same code on all ranks. If it is not 0, nothing was created or written, unless storage failed.
int store(Group& group, OpenFile& file, const StoredVariable& variable, const LocalPart& part);

}  // namespace scorpio2012
