// I/O systems, error handlers, versions and texts of the PIO interface.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "program.h"
#include "support/environment_variable.h"

namespace scorpio::pio_test {
namespace {

class Systems : public Program {};

TEST_F(Systems, IdsAreNotUsedTwice) {
  int first = -1, second = -1;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &first));
  EXPECT_GE(first, 2048);
  EXPECT_DONE(PIOc_finalize(first));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  EXPECT_EQ(PIO_EBADID, PIOc_finalize(first));
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &second));
  EXPECT_NE(first, second);
  EXPECT_DONE(PIOc_finalize(second));
  EXPECT_DONE(PIOc_finalize(-1));
  EXPECT_EQ(PIO_EBADID, PIOc_finalize(first + 42));
  int old = 0;
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, &old));
  EXPECT_EQ(PIO_RETURN_ERROR, old);
}

// As the driver of a model ends the I/O systems of its components, whose ranks overlap: a rank has the id -1
// for a component that is on other ranks.
TEST_F(Systems, OfComponentsEndOneAfterTheOther) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  std::vector<int> systems;
  for (const bool mine : {rank() % 2 == 0, rank() < (ranks() + 1) / 2, true}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, mine ? 0 : MPI_UNDEFINED, rank(), &comm);
    systems.push_back(-1);
    if (!mine) continue;
    EXPECT_DONE(PIOc_Init_Intracomm(comm, 1, 1, 0, PIO_REARR_BOX, &systems.back()));
    MPI_Comm_free(&comm);
  }
  for (const int system : systems) EXPECT_DONE(PIOc_finalize(system));
  // Their ranks alone, a second time.
  for (const int system : systems) EXPECT_EQ(system == -1 ? PIO_NOERR : PIO_EBADID, PIOc_finalize(system));
  EXPECT_DONE(PIOc_closefile(create("a.nc")));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

// The call of the rank with -1 is local, so the others wait for it until it finalises the I/O system as well.
TEST_F(Systems, TheIdOfNoneOnOneRankDelaysTheEnd) {
  int system = -1;
  bool active = false;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  if (rank() == ranks() - 1) {
    EXPECT_DONE(PIOc_finalize(-1));
  }
  EXPECT_DONE(PIOc_iosystem_is_active(system, &active));
  EXPECT_TRUE(active);
  EXPECT_DONE(PIOc_finalize(system));
  EXPECT_DONE(PIOc_iosystem_is_active(system, &active));
  EXPECT_FALSE(active);
}

TEST_F(Systems, TheRanksOfIoAreBaseAndStrideApart) {
  int system = -1, io_tasks = 0, position = -2;
  const int base = ranks() - 1;
  const int io_ranks = ranks() < 3 ? 1 : 2;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, io_ranks, 2, base, PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_get_numiotasks(system, &io_tasks));
  EXPECT_EQ(io_ranks, io_tasks);
  bool mine = false;
  EXPECT_DONE(PIOc_iam_iotask(system, &mine));
  EXPECT_DONE(PIOc_iotask_rank(system, &position));
  const bool is_first = rank() == base;
  const bool is_second = io_ranks == 2 && rank() == (base + 2) % ranks();
  EXPECT_EQ(is_first || is_second, mine);
  EXPECT_EQ(is_first ? 0 : is_second ? 1 : -1, position);
  EXPECT_DONE(PIOc_finalize(system));
}

TEST_F(Systems, BadArgumentsOfOneRankFailOnAll) {
  int system = -1;
  ASSERT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_BCAST_ERROR, nullptr));
  const int io_tasks = rank() == 0 ? 0 : 1;
  EXPECT_EQ(PIO_EINVAL, PIOc_Init_Intracomm(MPI_COMM_WORLD, io_tasks, 1, 0, PIO_REARR_BOX, &system));
  EXPECT_EQ(PIO_EINVAL, PIOc_Init_Intracomm(MPI_COMM_WORLD, ranks() + 1, 1, 0, PIO_REARR_BOX, &system));
  EXPECT_EQ(PIO_EINVAL, PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, ranks(), PIO_REARR_BOX, &system));
  EXPECT_EQ(-1, system);
  EXPECT_NE(PIO_NOERR,
            PIOc_init_intercomm(1, MPI_COMM_WORLD, nullptr, MPI_COMM_NULL, PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

TEST_F(Systems, HandlersAreSetForTheSystemOfAFile) {
  EXPECT_EQ(PIO_BCAST_ERROR, PIOc_Set_IOSystem_Error_Handling(system_, PIO_RETURN_ERROR));
  const int file = create("a.nc");
  EXPECT_EQ(system_, PIOc_get_iosystem(file));
  EXPECT_EQ(PIO_RETURN_ERROR, PIOc_Set_File_Error_Handling(file, PIO_REDUCE_ERROR));
  EXPECT_EQ(1, PIOc_File_is_Open(file));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_EQ(0, PIOc_File_is_Open(file));
  EXPECT_EQ(PIO_REDUCE_ERROR, PIOc_Set_File_Error_Handling(file, PIO_BCAST_ERROR));
  EXPECT_EQ(PIO_EINVAL, PIOc_set_iosystem_error_handling(system_, -50, nullptr));
}

TEST_F(Systems, HintsForStripesAreOptionsOfNewFiles) {
  const std::string report = path("report.json");
  int system = -1, file = -1, iotype = PIO_IOTYPE_PNETCDF;
  {
    const test::EnvironmentVariable wanted("SCORPIO_REPORT", report);
    ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  }
  EXPECT_DONE(PIOc_set_hint(system, "striping_factor", "7"));
  EXPECT_DONE(PIOc_set_hint(system, "striping_unit", "2097152"));
  EXPECT_DONE(PIOc_set_hint(system, "striping_unit", "1000"));  // no power of two: has no effect
  EXPECT_DONE(PIOc_set_hint(system, "cb_nodes", "2"));
  ASSERT_DONE(PIOc_createfile(system, &file, &iotype, path("striped.nc").c_str(), PIO_CLOBBER));
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_finalize(system));
  MPI_Barrier(MPI_COMM_WORLD);
  // Each I/O system of a program has a report of its own.
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(report).parent_path())) {
    if (!entry.path().filename().string().starts_with("report")) continue;
    std::ifstream in(entry.path());
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  // What a file has of them, or that its file system has no stripes.
  EXPECT_NE(std::string::npos, text.find("options stripe_count and stripe_bytes have no effect on new files"))
      << text;
}

TEST_F(Systems, AFailureAfterAPostedCloseLeavesTheNextFileUsable) {
  const test::EnvironmentVariable asynchronous("SCORPIO_ASYNCHRONOUS", "true"),
      close("SCORPIO_CLOSE", "post");
  const test::EnvironmentVariable faults("SCORPIO_STORE_FAULTS", "rename:1=EACCES");
  int system = -1, lost = -1, kept = -1;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  ASSERT_DONE(PIOc_set_iosystem_error_handling(system, PIO_RETURN_ERROR, nullptr));
  int iotype = PIO_IOTYPE_PNETCDF;
  ASSERT_DONE(PIOc_createfile(system, &lost, &iotype, path("lost.nc").c_str(), PIO_CLOBBER));
  EXPECT_DONE(PIOc_enddef(lost));
  EXPECT_DONE(PIOc_closefile(lost));
  // The failure of the first file is the code of a close, not of the call that makes another one: programs
  // give up the file whose creation fails. The same path is made again, which completes the first one.
  ASSERT_DONE(PIOc_createfile(system, &kept, &iotype, path("lost.nc").c_str(), PIO_CLOBBER));
  EXPECT_DONE(PIOc_enddef(kept));
  EXPECT_EQ(PIO_EIO, PIOc_closefile(kept));
  EXPECT_EQ(0, PIOc_File_is_Open(kept));
  ASSERT_DONE(PIOc_openfile(system, &kept, &iotype, path("lost.nc").c_str(), PIO_NOWRITE));
  EXPECT_DONE(PIOc_closefile(kept)) << "the failure came twice";
  ASSERT_DONE(PIOc_createfile(system, &kept, &iotype, path("kept.nc").c_str(), PIO_CLOBBER));
  const int number = variable(kept, "number", PIO_INT, {});
  EXPECT_DONE(PIOc_enddef(kept));
  const int value = 7;
  EXPECT_DONE(PIOc_put_var_int(kept, number, &value));
  EXPECT_DONE(PIOc_closefile(kept));
  EXPECT_DONE(PIOc_finalize(system));
  const int file = open("kept.nc");
  int read = 0;
  EXPECT_DONE(PIOc_get_var_int(file, number, &read));
  EXPECT_EQ(value, read);
  EXPECT_DONE(PIOc_closefile(file));
}

// Whether one rank passes them or all of them do.
TEST_F(Systems, OptionsOfTheRearrangerAreCheckedAtTheStart) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  const rearr_opt_t right{
      PIO_REARR_COMM_P2P, PIO_REARR_COMM_FC_1D_COMP2IO, {true, true, 10}, {false, false, -1}};
  rearr_opt_t no_type = right, no_flow = right, no_requests = right;
  no_type.comm_type = 2;
  no_flow.fcd = 4;
  no_requests.io2comp.max_pend_req = -2;
  const auto init = [](const rearr_opt_t& options, int* system) {
    rearr_opt_t passed = options;
    return PIOc_Init_Intracomm_from_F90(MPI_Comm_c2f(MPI_COMM_WORLD), 1, 1, 0, PIO_REARR_BOX, &passed,
                                        system);
  };
  int system = -1;
  for (const rearr_opt_t& wrong : {no_type, no_flow, no_requests}) {
    EXPECT_EQ(PIO_EINVAL, init(wrong, &system));
    EXPECT_EQ(PIO_EINVAL, init(rank() == root_ ? wrong : right, &system));
    EXPECT_EQ(-1, system);
  }
  EXPECT_DONE(init(right, &system));
  EXPECT_DONE(PIOc_finalize(system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
}

TEST_F(Systems, SettingsAreChecked) {
  EXPECT_EQ(PIO_EINVAL, PIOc_set_rearr_opts(system_, 7, 0, false, false, 0, false, false, 0));
  EXPECT_DONE(PIOc_set_rearr_opts(system_, PIO_REARR_COMM_P2P, PIO_REARR_COMM_FC_2D_ENABLE, true, false, 64,
                                  true, false, -1));
  EXPECT_DONE(PIOc_set_hint(system_, "striping_factor", "4"));
  EXPECT_EQ(PIO_EINVAL, PIOc_set_hint(system_, nullptr, "4"));
  const PIO_Offset limit = PIOc_set_buffer_size_limit(1000);
  EXPECT_EQ(PIO_Offset{64} << 20, limit);
  EXPECT_EQ(1000, PIOc_set_buffer_size_limit(-1));
  EXPECT_EQ(1000, PIOc_set_buffer_size_limit(limit));
  EXPECT_DONE(PIOc_set_blocksize(4096));
  bool active = false;
  EXPECT_DONE(PIOc_iosystem_is_active(system_, &active));
  EXPECT_TRUE(active);
  EXPECT_DONE(PIOc_iosystem_is_active(system_, nullptr));
  EXPECT_DONE(PIOc_iosystem_is_active(99, &active));
  EXPECT_FALSE(active);
  EXPECT_EQ(1, PIOc_iotype_available(PIO_IOTYPE_PNETCDF));
  EXPECT_EQ(0, PIOc_iotype_available(PIO_IOTYPE_ADIOS));
}

TEST_F(Systems, TextsAndVersions) {
  char text[256];
  EXPECT_DONE(PIOc_strerror(0, text, sizeof text));
  EXPECT_STREQ("No error", text);
  EXPECT_DONE(PIOc_strerror(PIO_EBADIOTYPE, text, sizeof text));
  EXPECT_STREQ("Bad IO type", text);
  // Each code of the interface has a text, and no other code has it: this program is not linked with netCDF.
  std::set<std::string> texts;
  const auto add_text = [&](int code) {
    EXPECT_DONE(PIOc_strerror(code, text, sizeof text));
    EXPECT_NE(0, std::strncmp("Unknown", text, 7)) << code;
    EXPECT_TRUE(texts.insert(text).second) << code << ": " << text;
  };
  for (int code = PIO_EBADID; code >= PIO_ETRANSLATION; --code) add_text(code);
  for (int code = PIO_EHDFERR; code >= PIO_EDISKLESS; --code) add_text(code);
  for (const int code : {PIO_NOERR, PIO_EINDEP, PIO_EADIOSREAD, PIO_EBADIOTYPE, PIO_EINTERNAL})
    add_text(code);
  EXPECT_DONE(PIOc_strerror(-999, text, sizeof text));
  EXPECT_NE(nullptr, std::strstr(text, "(-999)")) << text;
  EXPECT_DONE(PIOc_strerror(ENOENT, text, sizeof text));
  EXPECT_STREQ(std::strerror(ENOENT), text);
  char small[4];
  EXPECT_DONE(PIOc_strerror(PIO_EBADID, small, sizeof small));
  EXPECT_EQ(3u, std::strlen(small));
  int major = 0, minor = -1, patch = -1;
  EXPECT_DONE(PIOc_get_version(&major, &minor, &patch, text, sizeof text));
  EXPECT_EQ(2, major);
  EXPECT_STREQ("2.0.1", text);
  EXPECT_EQ(2, PIOc_get_version_major());
}

}  // namespace
}  // namespace scorpio::pio_test
