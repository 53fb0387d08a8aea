// What a file holds, by name; in an eager file also what a client of the format's library has made.
#include "session/definitions/inquiry.h"

#include <hdf5.h>

#include "session/parts.h"
#include "session/state/object_ids.h"

namespace scorpio::test {
namespace {

using session::Inquiry;
using ObjectKind = session::Inquiry::ObjectKind;

struct Asking : CoreAlone {
  using CoreAlone::CoreAlone;
  Inquiry inquiry{*core};
};

void put_text(model::Schema& schema, const std::string& object, const std::string& name) {
  model::Attribute attribute;
  attribute.type = model::native(model::Kind::text, 1);
  attribute.value.assign(1, std::byte('m'));
  EXPECT_TRUE(schema.put_attribute(object, name, attribute).ok());
}

class InquiryTest : public PartsTest {};

TEST_P(InquiryTest, FindsByNameWithoutAMessage) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Asking>(system, options());
    session::Core& core = *file->core;
    const int variable = define(core, "v", {4});
    put_text(core.contents.schema(), "/v", "units");
    const Cost cost(system);
    EXPECT_EQ(variable, file->inquiry.find_variable("//v/").value());
    const auto none = file->inquiry.find_variable("w");
    EXPECT_EQ(Code::not_found, none.status().code());
    EXPECT_TRUE(mentions(none.status(), {k_path, "has no variable /w"}));
    EXPECT_EQ(Code::name, file->inquiry.find_variable("").status().code());
    EXPECT_EQ(1u, (*file->inquiry.find_attribute("v", "units"))->value.size());
    EXPECT_TRUE(mentions(file->inquiry.find_attribute("w", "units").status(), {"no group or variable /w"}));
    EXPECT_TRUE(mentions(file->inquiry.find_attribute("v", "long").status(), {"/v", "no attribute 'long'"}));
    EXPECT_EQ(ObjectKind::group, file->inquiry.find_object("/").value().kind);
    EXPECT_EQ(ObjectKind::variable, file->inquiry.find_object("v").value().kind);
    EXPECT_EQ(ObjectKind::none, file->inquiry.find_object("w").value().kind);
    EXPECT_EQ(Code::name, file->inquiry.find_object("a/../b").status().code());
    EXPECT_EQ(0u, cost.count());
    drop(core);
  });
}

TEST_P(InquiryTest, SaysWhetherElementsCanBeMoved) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Asking>(system, options());
    session::Core& core = *file->core;
    const int plain = define(core, "plain", {4});
    model::Variable compound = core.contents.schema().variables()[plain];
    compound.path = "/foreign";
    compound.unreadable = "its type is a compound";
    const int foreign = core.contents.schema().add_variable(compound).value();
    EXPECT_TRUE(core.contents.layout().place(core.contents.schema(), foreign).ok());
    const int chunked = define(core, "chunked", {4});
    end_definitions(core);
    core.contents.layout().placements().set(chunked, format::Placement::by_library("in chunks"));
    for (const bool reading : {false, true}) EXPECT_TRUE(file->inquiry.check_access(plain, reading).ok());
    EXPECT_EQ(Code::handle, file->inquiry.check_access(9, true).code());
    EXPECT_EQ(Code::handle, file->inquiry.check_access(-1, false).code());
    EXPECT_TRUE(mentions(file->inquiry.check_access(foreign, true), {"/foreign", "its type is a compound"}));
    EXPECT_TRUE(file->inquiry.check_access(chunked, true).ok());
    const Status status = file->inquiry.check_access(chunked, false);
    EXPECT_EQ(Code::unsupported, status.code());
    EXPECT_TRUE(mentions(status, {"/chunked", "in chunks"}));
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, InquiryTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

class Hdf5Inquiry : public InquiryTest {};

TEST_P(Hdf5Inquiry, FollowsLinks) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Asking>(system, options());
    session::Core& core = *file->core;
    EXPECT_TRUE(core.contents.schema().add_group("/g").ok());
    const int variable = define(core, "v", {4});
    EXPECT_TRUE(core.contents.schema().add_link("/to_v", "/v").ok());
    EXPECT_TRUE(core.contents.schema().add_link("/to_g", "g").ok());
    EXPECT_TRUE(core.contents.schema().add_link("/nowhere", "/none").ok());
    EXPECT_TRUE(core.contents.schema().add_link("/circle", "/circle").ok());
    EXPECT_EQ(variable, file->inquiry.find_variable("to_v").value());
    EXPECT_EQ(ObjectKind::variable, file->inquiry.find_object("to_v").value().kind);
    EXPECT_EQ(ObjectKind::group, file->inquiry.find_object("to_g").value().kind);
    EXPECT_EQ(ObjectKind::link, file->inquiry.find_object("nowhere").value().kind);
    EXPECT_EQ(ObjectKind::link, file->inquiry.find_object("circle").value().kind);
    EXPECT_TRUE(mentions(file->inquiry.find_variable("nowhere").status(), {"no variable /none"}));
    EXPECT_FALSE(file->inquiry.find_variable("circle").ok());
    EXPECT_EQ("/g", file->inquiry.find_group("to_g").value());
    EXPECT_EQ("g", file->inquiry.link_target("to_g").value());
    EXPECT_EQ("/circle", file->inquiry.link_target("//circle/").value());
    EXPECT_EQ(Code::not_found, file->inquiry.find_group("to_v").status().code());
    EXPECT_EQ(Code::not_found, file->inquiry.link_target("v").status().code());
    drop(core);
  });
}

TEST_P(Hdf5Inquiry, ObjectsHaveIds) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Asking>(system, options());
    session::Core& core = *file->core;
    session::ObjectIds ids(core.contents);
    const int variable = define(core, "g/v", {4});
    const int group = ids.of_group("/g"), other = ids.of_group("/none");
    EXPECT_EQ(session::ObjectIds::k_root, ids.of_group("/"));
    EXPECT_EQ(group, ids.of_group("/g"));
    EXPECT_NE(group, other);
    EXPECT_EQ("/g/v", ids.path_of(variable).value());
    EXPECT_EQ("/g", ids.path_of(group).value());
    EXPECT_EQ("/", ids.path_of_group(session::ObjectIds::k_root).value());
    EXPECT_EQ(Code::handle, ids.path_of(other).status().code());
    EXPECT_EQ(Code::handle, ids.path_of_group(variable).status().code());
    EXPECT_EQ(Code::handle, ids.path_of(other - 1).status().code());
    EXPECT_EQ(Code::handle, ids.path_of(variable + 1).status().code());
    EXPECT_TRUE(core.contents.schema().remove("/g").ok());
    EXPECT_TRUE(mentions(ids.path_of(group).status(), {"/g", "was removed", "scorpio_group_find"}));
    EXPECT_EQ(Code::handle, ids.path_of(variable).status().code());
    drop(core);
  });
}

// One agreement and one broadcast each, and all ranks know what only the metadata rank's client did.
TEST_P(Hdf5Inquiry, OfAnEagerFileLooksWhatAClientHasDone) {
  job_.run([&](ThreadSystem& system) {
    const auto file = created<Asking>(system, eager());
    session::Core& core = *file->core;
    EXPECT_EQ(Code::not_found, agreed(system, file->inquiry.find_variable("/g/v").status()));
    hid_t id = -1, group = -1, set = -1;
    if (core.metadata != nullptr) {
      const hsize_t extent = 12;
      id = static_cast<hid_t>(core.metadata->library().library_id().value());
      group = H5Gcreate2(id, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      const hid_t space = H5Screate_simple(1, &extent, nullptr);
      set = H5Dcreate2(group, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      const hid_t attribute = H5Acreate2(set, "n", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(attribute, 0);
      H5Aclose(attribute);
      H5Sclose(space);
      H5Dclose(set);
      H5Gclose(group);
    }
    const Cost cost(system);
    const Result<int> variable = file->inquiry.find_variable("g/v");
    ASSERT_TRUE(variable.ok()) << variable.status().text();
    EXPECT_EQ(3u, cost.count());
    EXPECT_EQ(std::vector<int64_t>{12}, core.contents.schema().variables()[*variable].dims);
    EXPECT_TRUE(file->inquiry.find_attribute("g/v", "n").ok());
    EXPECT_EQ(Code::not_found, file->inquiry.find_attribute("g/v", "m").status().code());
    EXPECT_EQ(ObjectKind::group, file->inquiry.find_object("g").value().kind);
    if (core.metadata != nullptr) {
      EXPECT_GE(H5Ldelete(id, "g/v", H5P_DEFAULT), 0);
    }
    EXPECT_EQ(ObjectKind::none, file->inquiry.find_object("g/v").value().kind);
    EXPECT_EQ(Code::not_found, agreed(system, file->inquiry.find_variable("g/v").status()));
    EXPECT_EQ(Code::name, agreed(system, file->inquiry.find_variable("..").status()));
    drop(core);
  });
}

INSTANTIATE_TEST_SUITE_P(Files, Hdf5Inquiry, testing::ValuesIn(cases({"hdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
