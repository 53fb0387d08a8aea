// Definitions as a session makes them: checked by a layout, then joined to the model.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "format/cdf/header.h"
#include "format/layout.h"
#include "model/schema.h"

namespace scorpio::format::cdf::test {

template <typename T>
T take(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().text();
  if (!result.ok()) throw std::runtime_error(result.status().text());
  return std::move(result).value();
}

inline void expect_ok(const Status& status) { EXPECT_TRUE(status.ok()) << status.text(); }

// What `header` has beyond `before`; places and records are left out.
void define(Layout& layout, model::Schema& schema, const Header& header, const Header& before = {});

Status put_attribute(Layout& layout, model::Schema& schema, const std::string& object,
                     const std::string& name, model::Attribute attribute, bool defining = true);
Result<int> add_dimension(Layout& layout, model::Schema& schema, const std::string& name, int64_t extent,
                          bool unlimited = false);
Result<int> add_variable(Layout& layout, model::Schema& schema, const std::string& path,
                         model::ElementType type, const std::vector<int>& dimensions);

// The file has at least so many records.
void grow_records(model::Schema& schema, int64_t records);

model::Attribute as_model(const Attribute& attribute);
model::Attribute text(const std::string& value);

}  // namespace scorpio::format::cdf::test
