// The members of groups: listed once, and anew after each change.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/path.h"
#include "model/schema_adopt.h"
#include "model/schema_message.h"
#include "samples.h"

namespace scorpio::model {
namespace {

TEST(SchemaMembers, AreListedOnce) {
  Schema schema;
  for (const char* path : {"/a", "/g/b", "/g/c"}) ASSERT_TRUE(schema.add_variable(variable(path, {})).ok());
  const Members *of_root = &schema.objects().members("/"), *of_group = &schema.objects().members("/g");
  EXPECT_EQ(of_root, &schema.objects().members("/"));
  EXPECT_EQ(of_group, &schema.objects().members("/g"));
  EXPECT_EQ(2u, of_group->count());
  ASSERT_TRUE(schema.put_attribute("/a", "units", number(1)).ok());
  schema.clear_pending();
  EXPECT_EQ(of_group, &schema.objects().members("/g")) << "no object has changed";
  EXPECT_EQ(0u, schema.objects().members("/nothing").count());
}

// Of one group, object by object.
Members members_of(const Schema& schema, const std::string& group) {
  const auto names_in = [&](const auto& objects) {
    std::vector<std::string> names;
    for (const auto& [path, object] : objects)
      if (path != "/" && parent(path) == group) names.push_back(leaf(path));
    return names;
  };
  Members members{names_in(schema.objects().groups()), {}, names_in(schema.objects().links())};
  for (int i = 0; i < schema.variables().count(); ++i) {
    const bool there =
        schema.variables().alive(i) && schema.objects().find_variable(schema.variables()[i].path) == i;
    if (there && parent(schema.variables()[i].path) == group) members.variables.push_back(i);
  }
  return members;
}

void check_all(const Schema& schema) {
  for (const char* path : {"/", "/a", "/b", "/a/b", "/a/a", "/b/a", "/b/b"}) {
    const Members expected = members_of(schema, path), &listed = schema.objects().members(path);
    RC_ASSERT(expected.groups == listed.groups);
    RC_ASSERT(expected.variables == listed.variables);
    RC_ASSERT(expected.links == listed.links);
  }
}

std::string random_path() {
  std::string path;
  for (int depth = *rc::gen::inRange(1, 4); depth > 0; --depth)
    path += std::string("/") + *rc::gen::element('a', 'b', 'c');
  return path;
}

// Whether it succeeds or not.
void change(Schema& schema) {
  const std::string path = random_path();
  const int what = *rc::gen::inRange(0, 10);
  if (what < 3) (void)schema.add_variable(variable(path, {}));
  if (what == 3) (void)schema.add_group(path);
  if (what == 4) (void)schema.add_link(path, "/a");
  if (what == 5) (void)schema.remove(path);
  if (what == 6) drop(schema, path);
  if (what == 7) *rc::gen::arbitrary<bool>() ? schema.clear_pending() : discard_pending(schema);
  if (what == 8 && schema.variables().count() > 0) {
    const int index = *rc::gen::inRange(0, schema.variables().count());
    if (schema.variables().alive(index))
      (void)schema.rename_variable(index, std::string(1, *rc::gen::element('a', 'd')));
  }
  if (what != 9) return;
  Schema found;
  (void)found.add_variable(variable(path, {*rc::gen::inRange<int64_t>(1, 3)}));
  (void)adopt(schema, found, *rc::gen::arbitrary<bool>() ? path : parent(path), true);
}

RC_GTEST_PROP(SchemaMembersProperty, AreThoseOfTheModelAfterAnyChange, ()) {
  Schema schema;
  for (int changes = *rc::gen::inRange(1, 30); changes > 0; --changes) {
    change(schema);
    check_all(schema);
  }
  const auto again = deserialise(serialise(schema));
  if (again.ok()) check_all(*again);
}

}  // namespace
}  // namespace scorpio::model
