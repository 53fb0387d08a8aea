// The members of groups.
#include "model/group.h"

#include <gtest/gtest.h>

#include "samples.h"

namespace scorpio::model {
namespace {

TEST(Group, HasTheObjectsDirectlyInIt) {
  Variables variables;
  for (const char* path : {"/g/w", "/g/gone", "/g/v", "/g/h/v", "/v"}) variables.add(variable(path, {}));
  variables.remove(1);
  const Groups groups{{"/", {}}, {"/g", {}}, {"/g/h", {}}, {"/empty", {}}};
  const SoftLinks links{{"/g/l", {"/v"}}, {"/k", {"g"}}};
  const auto all = list_members(groups, variables, links);
  EXPECT_EQ(3u, all.size()) << "/empty has none";
  EXPECT_EQ((std::vector<std::string>{"empty", "g"}), all.at("/").groups);
  EXPECT_EQ(std::vector<int>{4}, all.at("/").variables);
  EXPECT_EQ(std::vector<std::string>{"k"}, all.at("/").links);
  EXPECT_EQ(std::vector<std::string>{"h"}, all.at("/g").groups);
  EXPECT_EQ((std::vector<int>{0, 2}), all.at("/g").variables);
  EXPECT_EQ(4u, all.at("/g").count());
  EXPECT_EQ(std::vector<int>{3}, all.at("/g/h").variables);
}

}  // namespace
}  // namespace scorpio::model
