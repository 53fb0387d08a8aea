// Types, attributes and variables as bytes. Local; pure. What was read is not checked (model/checks.h).
#pragma once

#include "model/attribute.h"
#include "model/byte_stream.h"
#include "model/variable.h"

namespace scorpio::model {

void write(ByteWriter& out, const Attributes& attributes);
void write(ByteWriter& out, const Variable& variable);
Attributes read_attributes(ByteReader& in);
Variable read_variable(ByteReader& in);

}  // namespace scorpio::model
