// The names of the attributes of one object.
#include "model/listed_names.h"

#include <gtest/gtest.h>

#include "samples.h"

namespace scorpio::model {
namespace {

using Names = std::vector<std::string>;

TEST(ListedNames, AreInOrderOfDefinition) {
  Attributes attributes{{"a", number(1)}, {"b", number(2)}};
  attributes["a"].order = 2;
  attributes["b"].order = 1;
  ListedNames names;
  EXPECT_EQ(nullptr, names.of("/v"));
  EXPECT_EQ((Names{"b", "a"}), names.list("/v", attributes));
  EXPECT_EQ((Names{"b", "a"}), *names.of("/v"));
  EXPECT_EQ(nullptr, names.of("/w"));
  names.forget();
  EXPECT_EQ(nullptr, names.of("/v"));
}

TEST(ListedNames, ALaterAttributeIsAddedAtTheEnd) {
  ListedNames names;
  names.list("/v", {{"a", number(1)}});
  names.add("/w", "x", false);
  names.add("/v", "b", true);
  EXPECT_EQ((Names{"a", "b"}), *names.of("/v"));
  names.add("/v", "between", false);
  EXPECT_EQ(nullptr, names.of("/v")) << "its place is not known";
}

}  // namespace
}  // namespace scorpio::model
