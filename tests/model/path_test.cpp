// Paths of objects: the normalised form, and relations between paths.
#include "model/path.h"

#include <gtest/gtest.h>

namespace scorpio::model {
namespace {

TEST(Path, Normalise) {
  EXPECT_EQ(*normalise("/a//b/"), "/a/b");
  EXPECT_EQ(*normalise("a/b"), "/a/b");
  EXPECT_EQ(*normalise("/"), "/");
  EXPECT_EQ(*normalise("//"), "/");
  EXPECT_EQ(*normalise("/sea level: mean/...x"), "/sea level: mean/...x");
  EXPECT_EQ(*normalise(".a/.b"), "/.a/.b");
  for (const std::string& bad :
       {std::string(), std::string("/a/./b"), std::string(".."), std::string("a\0b", 3)}) {
    EXPECT_EQ(normalise(bad).status().code(), Code::name) << bad;
  }
}

TEST(Path, WhatIsNormalStaysAsItIs) {
  for (const std::string& path : {std::string("/"), std::string("/a"), std::string("/a b/c-d/e.")}) {
    EXPECT_TRUE(is_normal(path)) << path;
    EXPECT_EQ(*normalise(path), path);
  }
  for (const std::string& path : {std::string(), std::string("a"), std::string("/a/"), std::string("//a"),
                                  std::string("/a/.."), std::string("/a\0", 3)}) {
    EXPECT_FALSE(is_normal(path)) << path;
  }
}

TEST(Path, ParentAndLeaf) {
  EXPECT_EQ(parent("/a/b"), "/a");
  EXPECT_EQ(parent("/a"), "/");
  EXPECT_EQ(parent("/"), "/");
  EXPECT_EQ(leaf("/a/b"), "b");
  EXPECT_EQ(leaf("/"), "");
}

TEST(Path, AtOrBelow) {
  EXPECT_TRUE(at_or_below("/a", "/a"));
  EXPECT_TRUE(at_or_below("/a/b/c", "/a"));
  EXPECT_TRUE(at_or_below("/a", "/"));
  EXPECT_FALSE(at_or_below("/ab", "/a"));
  EXPECT_FALSE(at_or_below("/a-b/c", "/a"));
  EXPECT_FALSE(at_or_below("/", "/a"));
}

}  // namespace
}  // namespace scorpio::model
