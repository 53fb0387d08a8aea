// What the user defines: local where the file is not eager, agreed and made at once where it is.
#include "session/definitions/definitions.h"

#include <hdf5.h>

#include "session/parts.h"

namespace scorpio::test {
namespace {

class DefinitionsTest : public PartsTest {};

model::Attribute text(const std::string& value) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::text, 1);
  attribute.scalar = false;
  attribute.dims = {static_cast<int64_t>(value.size())};
  for (const char c : value) attribute.value.push_back(std::byte(c));
  return attribute;
}

template <typename T>
model::Attribute one(const model::ElementType& type, T value) {
  model::Attribute attribute;
  attribute.type = type;
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  attribute.value.assign(bytes, bytes + sizeof value);
  return attribute;
}

TEST_P(DefinitionsTest, AreLocal) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    session::Definitions& define = file->definitions;
    const model::Schema& schema = file->core->contents.schema();
    const Cost cost(system);
    const int x = define.define_dimension("x", 5).value(), y = define.define_dimension("y", 3).value();
    const int v = define.define_variable_on("v", k_double, {x, y}).value();
    const int w = define.define_variable("w", k_int, {4, 3}).value();
    EXPECT_TRUE(define.put_attribute("v", "units", text("m")).ok());
    EXPECT_TRUE(define.put_attribute("/", "title", text("test")).ok());
    EXPECT_TRUE(define.rename_attribute("v", "units", "unit").ok());
    EXPECT_TRUE(define.rename_dimension(x, "xx").ok());
    EXPECT_TRUE(define.rename_variable(w, "ww").ok());
    EXPECT_TRUE(define.remove_attribute("/", "title").ok());
    EXPECT_EQ((std::vector<int64_t>{5, 3}), schema.variables()[v].dims);
    EXPECT_EQ("/ww", schema.variables()[w].path);
    EXPECT_EQ("xx", schema.dimensions()[x].name);
    EXPECT_TRUE(schema.objects().attributes("/v")->contains("unit"));
    EXPECT_FALSE(schema.objects().attributes("/")->contains("title"));
    EXPECT_EQ(classic(), !file->core->contents.layout().placement(v).has_address())
        << "places follow from all definitions";
    // Formats that know none without a name get dimensions of their own, shared by equal extents.
    EXPECT_EQ(classic(), schema.dimensions().find("dim_4").has_value());
    EXPECT_EQ(0u, cost.count());
    EXPECT_EQ(Code::ok, file->core->calls.outcomes().failed_definition().code());
    drop(*file->core);
  });
}

TEST_P(DefinitionsTest, ThatCannotBeAreRefusedAndRemembered) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    session::Definitions& define = file->definitions;
    const auto expect = [&](Code code, const Status& status, const std::vector<std::string>& words) {
      EXPECT_EQ(code, status.code()) << status.text();
      EXPECT_TRUE(mentions(status, words));
      EXPECT_EQ(status.text(), file->core->calls.outcomes().failed_definition().text());
    };
    const int x = define.define_dimension("x", 5).value();
    EXPECT_TRUE(define.define_variable_on("v", k_double, {x}).ok());
    const size_t dimensions = file->core->contents.schema().dimensions().all().size();
    expect(Code::exists, define.define_dimension("x", 6).status(), {"dimension x"});
    expect(Code::exists, define.define_variable("v", k_double, {7, 8}).status(), {"/v"});
    expect(Code::handle, define.define_variable_on("w", k_double, {x, 7}).status(), {"dimension id 7", "w"});
    expect(Code::handle, define.define_variable_on("w", k_double, {-1}).status(), {"dimension id -1"});
    expect(Code::not_found, define.put_attribute("w", "a", text("m")), {"/w"});
    expect(Code::not_found, define.remove_attribute("v", "a"), {"no attribute a"});
    expect(Code::handle, define.rename_variable(9, "w"), {"variable id 9"});
    EXPECT_FALSE(define.rename_dimension(3, "w").ok());
    EXPECT_FALSE(define.rename_attribute("v", "a", "b").ok());
    EXPECT_FALSE(define.remove("w").ok());
    expect(Code::type, define.put_attribute("v", model::k_fill_value, one(k_int, 3)),
           {model::k_fill_value, "one value of type float64"});
    define.reject(failure(Code::argument, "a pointer is NULL")).ok();
    EXPECT_EQ("a pointer is NULL", file->core->calls.outcomes().failed_definition().text());
    EXPECT_EQ(1, file->core->contents.schema().variables().count()) << "nothing was defined";
    EXPECT_EQ(dimensions, file->core->contents.schema().dimensions().all().size()) << "nor left over";
    drop(*file->core);
  });
}

TEST_P(DefinitionsTest, GroupsLinksAndRemovalsAreOfHdf5) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    session::Definitions& define = file->definitions;
    EXPECT_TRUE(define.define_variable("v", k_double, {2}).ok());
    const Status group = define.define_group("g/h"), link = define.define_link("l", "/v");
    EXPECT_EQ(classic() ? Code::unsupported : Code::ok, group.code()) << group.text();
    EXPECT_EQ(classic() ? Code::unsupported : Code::ok, link.code()) << link.text();
    if (!classic()) {
      EXPECT_TRUE(define.put_attribute("l", "units", text("m")).ok());
      EXPECT_TRUE(file->core->contents.schema().objects().attributes("/v")->contains("units"))
          << "links are followed";
      EXPECT_TRUE(define.remove("g").ok());
      EXPECT_FALSE(file->core->contents.schema().objects().has_group("/g/h"));
    }
    drop(*file->core);
  });
}

TEST_P(DefinitionsTest, OfFills) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, options());
    session::Definitions& define = file->definitions;
    const auto filled = [&](int variable) {
      return file->core->contents.schema().variables()[variable].filled;
    };
    const int before = define.define_variable("before", k_double, {2}).value();
    EXPECT_TRUE(define.set_fill_mode(true).ok());
    EXPECT_TRUE(define.fill_mode());
    const int after = define.define_variable("after", k_double, {2}).value();
    EXPECT_FALSE(filled(before));
    EXPECT_TRUE(filled(after));
    const double value = 6.5;
    EXPECT_TRUE(define.define_fill(before, true, &value).ok());
    EXPECT_TRUE(filled(before));
    EXPECT_TRUE(file->core->contents.schema().objects().attributes("/before")->contains(model::k_fill_value));
    EXPECT_TRUE(define.define_fill(after, false, nullptr).ok());
    EXPECT_FALSE(filled(after));
    EXPECT_EQ(Code::handle, define.define_fill(7, true, nullptr).code());
    end_definitions(*file->core);
    file->fills.before_data();
    EXPECT_EQ(std::vector<double>(2, 6.5), stored(*file->core, before));
    EXPECT_EQ(std::vector<double>(2, 0.0), stored(*file->core, after));
    const Status late = define.define_fill(after, true, nullptr);
    EXPECT_EQ(Code::state, late.code());
    EXPECT_TRUE(define.define_fill(after, false, nullptr).ok()) << "nothing changes";
    drop(*file->core);
  });
}

TEST_P(DefinitionsTest, AreRefusedInAFileForReading) {
  job_.run([&](ThreadSystem& system) {
    {
      const auto file = created<WithSyncPoint>(system, options());
      EXPECT_TRUE(file->sync_point.close().ok());
    }
    const auto file = opened<Defining>(system, false, options());
    session::Definitions& define = file->definitions;
    const Status all[] = {define.define_group("g"),
                          define.define_dimension("x", 1).status(),
                          define.define_variable("v", k_double, {}).status(),
                          define.define_variable_on("v", k_double, {}).status(),
                          define.define_link("l", "v"),
                          define.remove("v"),
                          define.put_attribute("/", "a", text("m")),
                          define.remove_attribute("/", "a"),
                          define.rename_dimension(0, "x"),
                          define.rename_variable(0, "v"),
                          define.rename_attribute("/", "a", "b"),
                          define.set_fill_mode(true),
                          define.define_fill(0, true, nullptr)};
    for (const Status& status : all) EXPECT_EQ(Code::read_only, status.code()) << status.text();
    drop(*file->core);
  });
}

TEST_P(DefinitionsTest, ThatDifferAreExplained) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const bool other = culprit(system);
    const std::string who = fmt::format("rank {} has ", system.rank());
    const auto file = created<Defining>(system, options());
    session::Definitions& define = file->definitions;
    EXPECT_TRUE(define.define_variable("v", k_double, {2}).ok());
    EXPECT_FALSE(define.define_variable("v", k_double, {2}).ok()) << "on all: that makes no difference";
    EXPECT_TRUE(define.define_variable("w", other ? k_int : k_double, {3}).ok());
    Status status = file->steps.explain(file->core->contents.schema().hash());
    EXPECT_EQ(Code::mismatch, agreed(system, status));
    EXPECT_TRUE(mentions(
        status, {session::k_definitions, "has variable /w, int32", "rank 0 has variable /w, float64"}));
    drop(*file->core);
  });
}

// It says more than what the model lacks there.
TEST_P(DefinitionsTest, OneThatFailedOnOneRankExplainsTheDifference) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const auto file = created<Defining>(system, options());
    if (culprit(system)) {
      (void)file->definitions.reject(failure(Code::argument, "the name is NULL"));
    } else {
      EXPECT_TRUE(file->definitions.define_variable("v", k_double, {2}).ok());
    }
    const Status status = file->steps.explain(file->core->contents.schema().hash());
    EXPECT_EQ(Code::argument, agreed(system, status));
    EXPECT_EQ(system.comm().size() - 1, status.origin());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, DefinitionsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class EagerDefinitions : public DefinitionsTest {};

// The variable is in the file, and all ranks know where.
TEST_P(EagerDefinitions, AreMadeAtOnce) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, eager());
    session::Core& core = *file->core;
    EXPECT_TRUE(file->definitions.define_group("g").ok());
    const Cost cost(system);
    const Result<int> v = file->definitions.define_variable("g/v", k_double, {500});
    EXPECT_EQ(2u, cost.count()) << "what is defined, and where it lies";
    ASSERT_TRUE(v.ok()) << v.status().text();
    const auto address = core.contents.layout().placement(*v).address();
    ASSERT_TRUE(address.has_value());
    const auto addresses = system.comm().all_gather(std::vector<int64_t>{static_cast<int64_t>(*address)});
    EXPECT_EQ(std::vector<int64_t>(addresses->size(), static_cast<int64_t>(*address)), *addresses);
    EXPECT_TRUE(file->definitions.put_attribute("g/v", "units", text("m")).ok());
    EXPECT_TRUE(file->definitions.define_link("l", "/g/v").ok());
    EXPECT_TRUE(core.contents.schema().pending().removed.empty());
    if (core.metadata != nullptr) {
      const auto id = static_cast<hid_t>(core.metadata->library().library_id().value());
      const hid_t set = H5Dopen2(id, "l", H5P_DEFAULT);
      EXPECT_EQ(*address, H5Dget_offset(set));
      EXPECT_GT(H5Aexists(set, "units"), 0);
      H5Dclose(set);
    }
    EXPECT_TRUE(file->definitions.remove("g/v").ok());
    EXPECT_TRUE(file->definitions.remove_attribute("g", "none").code() == Code::not_found);
    drop(core);
  });
}

TEST_P(EagerDefinitions, AreComparedFirst) {
  job_.run([&](ThreadSystem& system) {
    if (!several()) return;
    const bool other = culprit(system);
    const auto file = created<Defining>(system, eager());
    session::Definitions& define = file->definitions;
    const Status group = define.define_group(other ? "one" : "another");
    EXPECT_EQ(Code::mismatch, agreed(system, group));
    EXPECT_TRUE(mentions(group, {"has group one", "rank 0 has group another"}));
    EXPECT_FALSE(file->core->contents.schema().objects().has_group("/one"));
    const Status rejected =
        other ? define.reject(failure(Code::argument, "the name is NULL")) : define.define_group("third");
    EXPECT_EQ(Code::argument, agreed(system, rejected));
    EXPECT_TRUE(mentions(rejected, {"the name is NULL"}));
    EXPECT_EQ(Code::ok, agreed(system, define.define_group("fourth")));
    drop(*file->core);
  });
}

TEST_P(EagerDefinitions, RefuseWhatNeedsALaterMoment) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, eager());
    session::Definitions& define = file->definitions;
    const int v = define.define_variable("v", k_double, {5}).value();
    for (const Status& status :
         {define.set_fill_mode(true), define.define_fill(v, true, nullptr), define.rename_variable(v, "w")}) {
      EXPECT_EQ(Code::unsupported, agreed(system, status));
      EXPECT_TRUE(mentions(status, {k_path, "is an eager file"}));
    }
    EXPECT_TRUE(define.set_fill_mode(false).ok());
    EXPECT_TRUE(define.define_fill(v, false, nullptr).ok());
    drop(*file->core);
  });
}

// A client of the live id has taken the name: the ranks go on from what the file has.
TEST_P(EagerDefinitions, ThatTheFileRefusesAreForgottenOnAllRanks) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Defining>(system, eager());
    session::Core& core = *file->core;
    EXPECT_TRUE(file->definitions.define_group("kept").ok());
    if (core.metadata != nullptr) {
      const auto id = static_cast<hid_t>(core.metadata->library().library_id().value());
      const hid_t group = H5Gcreate2(id, "taken", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(H5Gclose(group), 0);
    }
    const Result<int> variable = file->definitions.define_variable("taken", k_double, {5});
    EXPECT_FALSE(agreed(system, variable.status()) == Code::ok);
    EXPECT_FALSE(core.contents.schema().objects().find_variable("/taken").has_value());
    EXPECT_TRUE(core.contents.schema().objects().has_group("/kept"));
    EXPECT_TRUE(file->definitions.define_variable("free", k_double, {5}).ok());
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, EagerDefinitions, testing::ValuesIn(cases({"hdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
