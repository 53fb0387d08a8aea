// What was not written or read: the failure of a transfer knows bytes, its user knows variables. Local.
#pragma once

#include "base/status.h"
#include "format/layout.h"
#include "model/variables.h"

namespace scorpio::session {

// The failure of a file with these definitions; its text begins with the variable, and the record, of the
// first of the bytes that it concerns. Other statuses are returned unchanged. `layout`: null: there is none
// yet.
Status naming_data(const Status& status, const model::Variables& variables, const format::Layout* layout);

}  // namespace scorpio::session
