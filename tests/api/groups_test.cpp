// Groups and links: listing, paths, targets; and that what a file holds can be copied by inquiry alone.
#include <cstring>
#include <functional>

#include "session.h"

namespace scorpio::api_test {
namespace {

struct Member {
  std::string name;
  int kind = -1;
  int object = -1000;  // stays so for links

  friend bool operator==(const Member&, const Member&) = default;
};

std::string path_of_group(scorpio_file* file, int group) {
  char path[200] = "";
  size_t length = 0;
  EXPECT_SUCCESS(scorpio_group_path(file, group, path, sizeof path, &length));
  EXPECT_EQ(std::strlen(path), length);
  return path;
}

std::string below(const std::string& group, const std::string& name) {
  return (group == "/" ? "" : group) + "/" + name;
}

std::vector<Member> members_of(scorpio_file* file, int group) {
  int count = -1;
  EXPECT_SUCCESS(scorpio_group_count(file, group, &count));
  std::vector<Member> members(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    Member& member = members[static_cast<size_t>(i)];
    char name[100] = "";
    size_t length = 0;
    EXPECT_SUCCESS(
        scorpio_group_member(file, group, i, name, sizeof name, &length, &member.kind, &member.object));
    EXPECT_EQ(std::strlen(name), length);
    member.name = name;
  }
  return members;
}

std::string target_of(scorpio_file* file, const std::string& path) {
  char target[200] = "";
  EXPECT_SUCCESS(scorpio_link_target(file, path.c_str(), target, sizeof target, nullptr));
  return target;
}

class Groups : public testing::Test {
 protected:
  Groups() { file_ = create(path_, SCORPIO_FORMAT_HDF5); }
  ~Groups() override { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  scorpio_file* create(const std::string& path, scorpio_format format) {
    scorpio_file* file = nullptr;
    EXPECT_SUCCESS(scorpio_file_create(system_.get(), path.c_str(), format, nullptr, &file));
    return file;
  }
  void open_again() {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    file_ = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_READ, nullptr, &file_));
  }
  int define(const char* path) {
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file_, path, SCORPIO_INT32, 0, nullptr, &variable));
    return variable;
  }
  int group(const char* path) {
    int id = 0;
    EXPECT_SUCCESS(scorpio_group_define(file_, path, &id));
    return id;
  }
  int dimension(const char* path, int64_t length) {
    int id = -1;
    EXPECT_SUCCESS(scorpio_dimension_define(file_, path, length, &id)) << path;
    return id;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "file";
  const System system_;
  scorpio_file* file_ = nullptr;
};

TEST_F(Groups, MembersComeInTheirOrder) {
  const int deep = group("b/inner/deep"), a = group("a");
  const int z = define("z"), y = define("y"), inner = define("/b/inner/v");
  EXPECT_SUCCESS(scorpio_link_define(file_, "to_z", "z"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "nowhere", "/none"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "b/to_group", "/b/inner"));
  const int b = object_of(file_, "b");
  EXPECT_EQ((std::vector<Member>{{"a", SCORPIO_OBJECT_GROUP, a},
                                 {"b", SCORPIO_OBJECT_GROUP, b},
                                 {"z", SCORPIO_OBJECT_VARIABLE, z},
                                 {"y", SCORPIO_OBJECT_VARIABLE, y},
                                 {"nowhere", SCORPIO_OBJECT_LINK},
                                 {"to_z", SCORPIO_OBJECT_LINK}}),
            members_of(file_, SCORPIO_GLOBAL));
  EXPECT_TRUE(members_of(file_, a).empty());
  EXPECT_EQ((std::vector<Member>{{"inner", SCORPIO_OBJECT_GROUP, object_of(file_, "b/inner")},
                                 {"to_group", SCORPIO_OBJECT_LINK}}),
            members_of(file_, b));
  EXPECT_EQ(
      (std::vector<Member>{{"deep", SCORPIO_OBJECT_GROUP, deep}, {"v", SCORPIO_OBJECT_VARIABLE, inner}}),
      members_of(file_, object_of(file_, "b/to_group")));
  EXPECT_EQ("/b/inner/deep", path_of_group(file_, deep));
  EXPECT_EQ("/", path_of_group(file_, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "z"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "a"));
  EXPECT_SUCCESS(scorpio_object_remove(file_, "to_z"));
  EXPECT_EQ(3u, members_of(file_, SCORPIO_GLOBAL).size());
  open_again();
  EXPECT_EQ((std::vector<Member>{{"b", SCORPIO_OBJECT_GROUP, object_of(file_, "b")},
                                 {"y", SCORPIO_OBJECT_VARIABLE, object_of(file_, "y")},
                                 {"nowhere", SCORPIO_OBJECT_LINK}}),
            members_of(file_, SCORPIO_GLOBAL));
}

TEST_F(Groups, VariablesOfAllGroups) {
  const int first = define("a/v"), second = define("v"), third = define("b/c/v");
  EXPECT_SUCCESS(scorpio_object_remove(file_, "v"));
  int ids[3] = {-1, -1, -1}, count = -1;
  EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
  EXPECT_EQ(2, count);
  EXPECT_SUCCESS(scorpio_file_variables(file_, ids, 1, &count));
  EXPECT_EQ(2, count);
  EXPECT_EQ(first, ids[0]);
  EXPECT_EQ(-1, ids[1]) << "beyond the capacity";
  EXPECT_SUCCESS(scorpio_file_variables(file_, ids, 3, &count));
  EXPECT_EQ(third, ids[1]);
  EXPECT_EQ(-1, ids[2]);
  EXPECT_EQ(1, second);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_variables(file_, nullptr, 1, &count));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_variables(file_, ids, 1, nullptr));
}

TEST_F(Groups, WhatIsNoGroupIsRefused) {
  const int v = define("v"), gone = group("gone");
  EXPECT_SUCCESS(scorpio_object_remove(file_, "gone"));
  int number = 7;
  char text[3] = "";
  for (const int id : {v, 1000, gone, -1000}) {
    EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_path(file_, id, text, sizeof text, nullptr)) << id;
    EXPECT_NE(std::string::npos, last_text().find("SCORPIO_GLOBAL")) << last_text();
    EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_count(file_, id, &number)) << id;
    EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_group_member(file_, id, 0, nullptr, 0, nullptr, &number, nullptr));
  }
  EXPECT_EQ(7, number);
  const int named = group("named");
  for (const int i : {-1, 2}) {
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT,
              scorpio_group_member(file_, SCORPIO_GLOBAL, i, nullptr, 0, nullptr, &number, nullptr));
    EXPECT_NE(std::string::npos, last_text().find("it has 2")) << last_text();
  }
  EXPECT_SUCCESS(
      scorpio_group_member(file_, SCORPIO_GLOBAL, 0, text, sizeof text, nullptr, nullptr, nullptr));
  EXPECT_STREQ("na", text);
  EXPECT_SUCCESS(scorpio_group_path(file_, named, text, sizeof text, nullptr));
  EXPECT_STREQ("/n", text);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_group_count(file_, SCORPIO_GLOBAL, nullptr));
}

TEST_F(Groups, TargetsOfLinksAreToldAsTheyAreStored) {
  define("g/h/v");
  EXPECT_SUCCESS(scorpio_link_define(file_, "g/relative", "h/v"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "to_g", "/g"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "twice", "/to_g/relative"));
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ("h/v", target_of(file_, "/g/relative"));
    EXPECT_EQ("/g", target_of(file_, "to_g"));
    EXPECT_EQ("h/v", target_of(file_, "/to_g/relative")) << "through a link";
    EXPECT_EQ("/to_g/relative", target_of(file_, "twice"));
    char text[3] = "";
    size_t length = 0;
    EXPECT_SUCCESS(scorpio_link_target(file_, "twice", text, sizeof text, &length));
    EXPECT_STREQ("/t", text);
    EXPECT_EQ(14u, length);
    for (const char* path : {"/g/h/v", "g", "none", "none/at/all", "/"}) {
      EXPECT_EQ(SCORPIO_ERR_NOT_FOUND, scorpio_link_target(file_, path, text, sizeof text, nullptr)) << path;
    }
    EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_link_target(file_, "..", text, sizeof text, nullptr));
    open_again();
  }
}

TEST_F(Groups, DimensionsOfOneNameInSeveral) {
  const std::vector<std::pair<std::string, int64_t>> all{{"/x", 3}, {"/g/x", 5}, {"/g/h/x", 7}, {"/y", 2}};
  std::vector<int> ids;
  for (const auto& [path, length] : all)
    ids.push_back(dimension(path.c_str() + (path == "/y" ? 1 : 0), length));
  int id = -1;
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file_, "g//x/", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_dimension_define(file_, "g/../x", 5, &id));
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file_, "g/h", 5, &id)) << "it is a group";
  define("v");
  EXPECT_EQ(SCORPIO_ERR_EXISTS, scorpio_dimension_define(file_, "v/x", 5, &id)) << "v is no group";
  const int over[] = {ids[1], ids[0], ids[2]};
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "/g/w", SCORPIO_FLOAT32, 3, over, &id));
  int count = -1;
  EXPECT_SUCCESS(scorpio_dimension_count(file_, &count));
  EXPECT_EQ(4, count);
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& [path, length] : all) {
      char text[20] = "", name[5] = "";
      int64_t extent = -1;
      ASSERT_SUCCESS(scorpio_dimension_find(file_, path.c_str(), &id));
      EXPECT_SUCCESS(scorpio_dimension_path(file_, id, text, sizeof text, nullptr));
      EXPECT_EQ(path, text);
      EXPECT_SUCCESS(scorpio_dimension_inquire(file_, id, name, sizeof name, nullptr, &extent, nullptr));
      EXPECT_EQ(path.substr(path.rfind('/') + 1), name);
      EXPECT_EQ(length, extent) << path;
    }
    int64_t dims[3] = {};
    EXPECT_SUCCESS(
        scorpio_variable_inquire(file_, object_of(file_, "/g/w"), nullptr, nullptr, nullptr, dims, 3));
    EXPECT_EQ((std::vector<int64_t>{5, 3, 7}), std::vector<int64_t>(dims, dims + 3));
    open_again();
  }
  scorpio_file* classic = create(folder_ / "classic", SCORPIO_FORMAT_CDF5);
  EXPECT_EQ(SCORPIO_ERR_UNSUPPORTED, scorpio_dimension_define(classic, "g/x", 5, &id)) << last_text();
  EXPECT_SUCCESS(scorpio_dimension_define(classic, "/x", 5, &id));
  EXPECT_SUCCESS(scorpio_file_close(classic));
}

// ---- a copy by inquiry alone ----

void copy_attributes(scorpio_file* from, int object, scorpio_file* to, int copy) {
  int count = 0;
  ASSERT_SUCCESS(scorpio_attribute_count(from, object, &count));
  for (int i = 0; i < count; ++i) {
    char name[100];
    scorpio_type type{};
    size_t bytes = 0;
    int ndims = 0;
    int64_t dims[4] = {};
    ASSERT_SUCCESS(scorpio_attribute_name(from, object, i, name, sizeof name, nullptr));
    ASSERT_SUCCESS(scorpio_attribute_inquire(from, object, name, &type, &bytes, &ndims, dims, 4));
    size_t all = bytes;
    for (int d = 0; d < ndims; ++d) all *= static_cast<size_t>(dims[d]);
    std::vector<char> value(all + 1);
    ASSERT_SUCCESS(scorpio_attribute_get(from, object, name, type, value.data(), value.size()));
    ASSERT_SUCCESS(scorpio_attribute_put(to, copy, name, type, bytes, ndims, dims, type, value.data()));
  }
}

void copy_variable(scorpio_file* from, int variable, scorpio_file* to, const std::string& path) {
  scorpio_type type{};
  int ndims = 0, copy = -1, dimensions[8];
  ASSERT_SUCCESS(scorpio_variable_inquire(from, variable, &type, nullptr, &ndims, nullptr, 0));
  ASSERT_SUCCESS(scorpio_variable_dimensions(from, variable, dimensions, 8));
  ASSERT_SUCCESS(scorpio_variable_define_on(to, path.c_str(), type, ndims, dimensions, &copy));
  copy_attributes(from, variable, to, copy);
}

void copy_group(scorpio_file* from, int group, scorpio_file* to) {
  const std::string path = path_of_group(from, group);
  int copy = SCORPIO_GLOBAL;
  if (group != SCORPIO_GLOBAL) {
    ASSERT_SUCCESS(scorpio_group_define(to, path.c_str(), &copy));
  }
  copy_attributes(from, group, to, copy);
  for (const Member& member : members_of(from, group)) {
    const std::string name = below(path, member.name);
    if (member.kind == SCORPIO_OBJECT_GROUP) copy_group(from, member.object, to);
    if (member.kind == SCORPIO_OBJECT_VARIABLE) copy_variable(from, member.object, to, name);
    if (member.kind == SCORPIO_OBJECT_LINK) {
      ASSERT_SUCCESS(scorpio_link_define(to, name.c_str(), target_of(from, name).c_str()));
    }
  }
}

void copy(scorpio_file* from, scorpio_file* to) {
  int count = 0, id = -1;
  ASSERT_SUCCESS(scorpio_dimension_count(from, &count));
  for (int d = 0; d < count; ++d) {
    char path[100];
    int64_t extent = -1;
    ASSERT_SUCCESS(scorpio_dimension_path(from, d, path, sizeof path, nullptr));
    ASSERT_SUCCESS(scorpio_dimension_inquire(from, d, nullptr, 0, nullptr, &extent, nullptr));
    ASSERT_SUCCESS(scorpio_dimension_define(to, path, extent, &id));
    ASSERT_EQ(d, id);
  }
  copy_group(from, SCORPIO_GLOBAL, to);
}

// Each object with its attributes, in a line.
std::string description(scorpio_file* file, int group) {
  const std::string path = path_of_group(file, group);
  std::string text;
  const auto add = [&](int object) {
    int count = 0;
    EXPECT_SUCCESS(scorpio_attribute_count(file, object, &count));
    for (int i = 0; i < count; ++i) {
      char name[100], value[100] = "";
      EXPECT_SUCCESS(scorpio_attribute_name(file, object, i, name, sizeof name, nullptr));
      if (scorpio_attribute_get_text(file, object, name, value, sizeof value, nullptr) != SCORPIO_OK) {
        double number = -1;
        EXPECT_SUCCESS(scorpio_attribute_get(file, object, name, SCORPIO_FLOAT64, &number, sizeof number));
        std::snprintf(value, sizeof value, "%g", number);
      }
      text += std::string(" ") + name + "=" + value;
    }
    text += "\n";
  };
  text += "group " + path;
  add(group);
  for (const Member& member : members_of(file, group)) {
    const std::string name = below(path, member.name);
    if (member.kind == SCORPIO_OBJECT_GROUP) text += description(file, member.object);
    if (member.kind == SCORPIO_OBJECT_LINK) text += "link " + name + " to " + target_of(file, name) + "\n";
    if (member.kind != SCORPIO_OBJECT_VARIABLE) continue;
    text += "variable " + name;
    int ndims = 0, dimensions[8];
    EXPECT_SUCCESS(scorpio_variable_inquire(file, member.object, nullptr, nullptr, &ndims, nullptr, 0));
    EXPECT_SUCCESS(scorpio_variable_dimensions(file, member.object, dimensions, 8));
    for (int d = 0; d < ndims; ++d) {
      char of[100];
      EXPECT_SUCCESS(scorpio_dimension_path(file, dimensions[d], of, sizeof of, nullptr));
      text += std::string(" ") + of;
    }
    add(member.object);
  }
  return text;
}

TEST_F(Groups, CanBeCopied) {
  const int x = dimension("x", 3), inner = dimension("g/x", 5);
  const int over[] = {inner, x};
  const double number = 2.5;
  int v = -1;
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "/g/h/v", SCORPIO_FLOAT32, 2, over, &v));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, v, "units", "m"));
  EXPECT_SUCCESS(scorpio_attribute_put_values(file_, v, "one", SCORPIO_FLOAT64, 1, &number));
  EXPECT_SUCCESS(scorpio_variable_define_on(file_, "x", SCORPIO_INT16, 1, &x, &v));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, SCORPIO_GLOBAL, "title", "the file"));
  EXPECT_SUCCESS(scorpio_attribute_put_text(file_, object_of(file_, "/g"), "title", "a group"));
  EXPECT_SUCCESS(scorpio_link_define(file_, "/g/link", "h/v"));
  group("empty");
  const std::string expected =
      "group / title=the file\ngroup /empty\ngroup /g title=a group\ngroup /g/h\n"
      "variable /g/h/v /g/x /x units=m one=2.5\nlink /g/link to h/v\nvariable /x /x\n";
  EXPECT_EQ(expected, description(file_, SCORPIO_GLOBAL));
  open_again();
  EXPECT_EQ(expected, description(file_, SCORPIO_GLOBAL));
  scorpio_file* other = create(folder_ / "copy", SCORPIO_FORMAT_HDF5);
  copy(file_, other);
  EXPECT_EQ(expected, description(other, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_file_close(other));
  ASSERT_SUCCESS(scorpio_file_open(system_.get(), (folder_ / "copy").c_str(), SCORPIO_READ, nullptr, &other));
  EXPECT_EQ(expected, description(other, SCORPIO_GLOBAL));
  EXPECT_SUCCESS(scorpio_file_close(other));
}

}  // namespace
}  // namespace scorpio::api_test
