// Brings a schema and its file together: what is not going to be written, and what an application has changed
// in the file through the live id. Local; pure.
#pragma once

#include <string>

#include "base/status.h"
#include "model/schema.h"

namespace scorpio::model {

// Discards pending definitions; variables keep their indices.
void discard_pending(Schema& schema);
// Removes the object at `path` with its members from the schema only: it was removed from the file already.
void drop(Schema& schema, const std::string& path);
// Adds the object at `path` that exists in the file already (`found`: the object with its attributes). A
// variable keeps its index if type and extents are the same and it is in the `same_place`.
Status adopt(Schema& schema, const Schema& found, const std::string& path, bool same_place);

}  // namespace scorpio::model
