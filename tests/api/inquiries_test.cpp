// What a program can ask of the library itself: what it was built with, and the options in force of an I/O
// system and of a file, with their origins.
#include <cstring>
#include <fstream>
#include <string>

#include "session.h"

namespace scorpio::api_test {
namespace {

struct Found {
  int code = 0;
  std::string value;
  scorpio_option_origin origin = SCORPIO_ORIGIN_DEFAULT;

  friend bool operator==(const Found&, const Found&) = default;
};

Found option_of(const System& system, const char* name) {
  char value[64] = "";
  Found found;
  size_t length = 0;
  found.code = scorpio_iosystem_option(system.get(), name, value, sizeof value, &length, &found.origin);
  found.value = value;
  EXPECT_EQ(found.value.size(), length);
  return found;
}

Found option_of(const scorpio_file* file, const char* name) {
  char value[64] = "";
  Found found;
  found.code = scorpio_file_option(file, name, value, sizeof value, nullptr, &found.origin);
  found.value = value;
  return found;
}

TEST(Inquiries, OptionsHaveTheirValuesAndOrigins) {
  const TemporaryFolder folder;
  const std::string config = folder / "run.json";
  if (rank_in() == 0) std::ofstream(config) << R"({"recover": "always", "strict": true})";
  MPI_Barrier(MPI_COMM_WORLD);
  const EnvironmentVariable by_file("SCORPIO_CONFIG", config);
  const EnvironmentVariable by_variable("SCORPIO_STRICT", "false");
  const EnvironmentVariable rules("SCORPIO_FILE_OPTIONS", "*.r.* durable=true journal=false");
  const System system(Settings{{"block_bytes", "4k"}});
  EXPECT_EQ((Found{SCORPIO_OK, "4 KiB", SCORPIO_ORIGIN_PROGRAM}), option_of(system, "block_bytes"));
  EXPECT_EQ((Found{SCORPIO_OK, "always", SCORPIO_ORIGIN_CONFIGURATION}), option_of(system, "recover"));
  EXPECT_EQ((Found{SCORPIO_OK, "false", SCORPIO_ORIGIN_ENVIRONMENT}), option_of(system, "strict"));
  EXPECT_EQ((Found{SCORPIO_OK, "false", SCORPIO_ORIGIN_DEFAULT}), option_of(system, "durable"));
  EXPECT_EQ(SCORPIO_ERR_NAME, option_of(system, "blocks").code);
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, option_of(system, nullptr).code);
  // The value in force, where it is not the one that was asked for.
  EXPECT_EQ(std::to_string(system.io_ranks()), option_of(system, "io_ranks").value);

  const OptionList options(Settings{{"journal", "true"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / "a.r.nc").c_str(), SCORPIO_FORMAT_DEFAULT,
                                     options.get(), &file));
  EXPECT_EQ((Found{SCORPIO_OK, "true", SCORPIO_ORIGIN_RULE}), option_of(file, "durable"));
  EXPECT_EQ((Found{SCORPIO_OK, "true", SCORPIO_ORIGIN_PROGRAM}), option_of(file, "journal"));
  EXPECT_EQ((Found{SCORPIO_OK, "false", SCORPIO_ORIGIN_ENVIRONMENT}), option_of(file, "strict"));
  EXPECT_EQ(SCORPIO_ERR_NAME, option_of(file, "blocks").code);
  const std::string text = system.describe();
  EXPECT_NE(text.find("durable = true (option file_options)"), std::string::npos) << text;
  EXPECT_NE(text.find("journal = true (API)"), std::string::npos) << text;
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST(Inquiries, StripesThatTheFileSystemDoesNotHaveAreTold) {
  const TemporaryFolder folder;
  const System system;
  const OptionList options(Settings{{"stripe_count", "4"}, {"stripe_bytes", "1m"}});
  for (const char* name : {"a.h5", "b.h5"}) {
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), (folder / name).c_str(), SCORPIO_FORMAT_DEFAULT,
                                       options.get(), &file));
    EXPECT_EQ((Found{SCORPIO_OK, "4", SCORPIO_ORIGIN_PROGRAM}), option_of(file, "stripe_count"));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  int mine = -1;
  EXPECT_SUCCESS(scorpio_iosystem_io_ranks(system.get(), nullptr, &mine));
  const std::string text = system.describe(),
                    note = "options stripe_count and stripe_bytes have no effect on new files";
  const size_t first = text.find(note);
  EXPECT_EQ(mine == 0, first != std::string::npos) << text;
  if (mine == 0) {
    EXPECT_EQ(text.find(note, first + 1), std::string::npos) << "once for a folder";
  }
}

TEST(Inquiries, EachOptionHasAName) {
  const System system;
  int names = 0;
  for (const char* const* name = scorpio_option_names(); *name != nullptr; ++name, ++names)
    EXPECT_EQ(SCORPIO_OK, option_of(system, *name).code) << *name;
  EXPECT_GT(names, 50);
}

TEST(Inquiries, FiltersAreBuiltInIfVariablesTakeThem) {
  const TemporaryFolder folder;
  const System system;
  scorpio_file* file = nullptr;
  const int64_t dims[] = {8};
  int variable = -1;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), (folder / "a.h5").c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
  ASSERT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, dims, &variable));
  ASSERT_SUCCESS(scorpio_variable_define_chunks(file, variable, dims));
  const int parameter = 1;
  for (const int filter : {1, 2, 3, 32001, 32013, 32015, 777}) {
    int available = -1;
    EXPECT_SUCCESS(scorpio_filter_available(filter, &available));
    const int code = scorpio_variable_define_filters(file, variable, 1, &filter, &parameter);
    EXPECT_EQ(available == 1, code != SCORPIO_ERR_UNSUPPORTED) << filter << ": " << last_text();
    EXPECT_EQ(available == 1,
              std::strstr(scorpio_built_with(), (std::to_string(filter) + " (").c_str()) != nullptr)
        << filter;
  }
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_filter_available(1, nullptr));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST(Inquiries, TheDescriptionSaysWhatIsBuiltIn) {
  const System system;
  const std::string text = system.describe(), built = scorpio_built_with();
  EXPECT_NE(text.find(std::string("SCORPIO ") + scorpio_version() + ", built with: " + built + "\n"),
            std::string::npos)
      << text;
  for (const char* part : {"MPI", "hdf5 (HDF5 1.", "cdf5", "netcdf4", "1 (deflate: ", "3 (fletcher32)"})
    EXPECT_NE(built.find(part), std::string::npos) << built;
  EXPECT_EQ(built.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace scorpio::api_test
