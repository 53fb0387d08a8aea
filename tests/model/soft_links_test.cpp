// Paths that lead through soft links.
#include "model/soft_links.h"

#include <gtest/gtest.h>

namespace scorpio::model {
namespace {

TEST(SoftLinks, AbsoluteAndRelativeTargets) {
  const SoftLinks links = {{"/sea", {"ocean"}}, {"/ocean/low", {"/ocean/deep"}}, {"/top", {"/"}}};
  EXPECT_EQ(*follow(links, "/none/x"), "/none/x");
  EXPECT_EQ(*follow(links, "/sea"), "/ocean");
  EXPECT_EQ(*follow(links, "sea//low/temp/"), "/ocean/deep/temp") << "a link in the way of another";
  EXPECT_EQ(*follow(links, "/top"), "/");
  EXPECT_EQ(*follow(links, "/top/sea/x"), "/ocean/x");
}

TEST(SoftLinks, ABadPathAndACircleAreFailures) {
  const SoftLinks circle = {{"/a", {"b"}}, {"/b", {"/a"}}};
  EXPECT_EQ(follow(circle, "/a/x").status().code(), Code::not_found);
  EXPECT_EQ(follow(circle, "/c/..").status().code(), Code::name);
  EXPECT_EQ(follow({}, "").status().code(), Code::name);
  EXPECT_EQ(*follow({}, "a/b/"), "/a/b");
}

}  // namespace
}  // namespace scorpio::model
