// Files, and distributed arrays.
#include <memory>

#include "../program.h"
#include "arguments.h"

namespace scorpio::pio_test::matrix {

namespace {

constexpr int k_no_such_file = -220;

// What is created or opened is closed again.
int closed(int code, const int* id) { return code == PIO_NOERR ? PIOc_closefile(*id) : code; }

int createfile(int system, int* id, const int* iotype, const char* path, int mode) {
  return closed(PIOc_createfile(system, id, iotype, path, mode), id);
}
int create(int system, const char* path, int mode, int* id) {
  return closed(PIOc_create(system, path, mode, id), id);
}
int openfile(int system, int* id, int* iotype, const char* path, int mode) {
  return closed(PIOc_openfile(system, id, iotype, path, mode), id);
}
int openfile2(int system, int* id, int* iotype, const char* path, int mode) {
  return closed(PIOc_openfile2(system, id, iotype, path, mode), id);
}
int openfile_retry(int system, int* id, int* iotype, const char* path, int mode, int retry) {
  return closed(PIOc_openfile_retry(system, id, iotype, path, mode, retry), id);
}
int open(int system, const char* path, int mode, int* id) {
  return closed(PIOc_open(system, path, mode, id), id);
}

template <typename T>
Argument<T*> iotype() {
  static int right = PIO_IOTYPE_PNETCDF, unknown = 99, zero = 0;
  Argument<T*> types{[](Stage&) { return &right; }, {}};
  return types.also("no I/O type", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("unknown I/O type", PIO_EBADIOTYPE, [](Stage&) { return &unknown; })
      .also("I/O type 0", PIO_EBADIOTYPE, [](Stage&) { return &zero; });
}

Value<const char*> path_of(const std::string& name) {
  return [name, path = std::make_shared<std::string>()](Stage& stage) {
    *path = stage.path(name);
    return path->c_str();
  };
}

Argument<const char*> path(const std::string& name) {
  return Argument<const char*>{path_of(name), {}}
      .also("NULL path", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("empty path", PIO_EINVAL, [](Stage&) { return ""; });
}

// Paths that differ between ranks are PIO_EINVAL.
Argument<const char*> path_to_create() {
  return path("created.nc")
      .also("absent folder", {k_no_such_file, PIO_EINVAL}, path_of("absent/created.nc"))
      .also("folder", {PIO_EPERM, PIO_EINVAL}, path_of(""))
      .also("long path", PIO_EINVAL, path_of(std::string(300, 'n')));
}

Argument<const char*> path_to_open() {
  return path("closed.nc")
      .also("absent file", {k_no_such_file, PIO_EINVAL}, path_of("absent.nc"))
      .also("folder", {PIO_ENOTNC, PIO_EINVAL}, path_of(""))
      .also("long path", PIO_EINVAL, path_of(std::string(300, 'n')))
      .also("file of another kind", {PIO_ENOTNC, PIO_EINVAL}, path_of("text"));
}

void write_a_text(Stage& stage) {
  EXPECT_DONE(
      PIOc_write_decomp(stage.path("text").c_str(), stage.system, stage.decomposition, MPI_COMM_WORLD));
}

void add_opening(Table& table) {
  table.add(Kind::agreed, "createfile", createfile, system(), needed_out<int>(), iotype<const int>(),
            path_to_create(), any<int>(PIO_CLOBBER));
  table.add(Kind::agreed, "create", create, system(), path_to_create(), any<int>(PIO_CLOBBER),
            needed_out<int>());
  const auto mode = any<int>(PIO_NOWRITE);
  const auto add_one = [&](const char* name, auto function) {
    table.add(Kind::agreed, name, function, system(), needed_out<int>(), iotype<int>(), path_to_open(), mode)
        .prepare = write_a_text;
  };
  add_one("openfile", openfile);
  add_one("openfile2", openfile2);
  table
      .add(Kind::agreed, "openfile_retry", openfile_retry, system(), needed_out<int>(), iotype<int>(),
           path_to_open(), mode, any(1))
      .prepare = write_a_text;
  table.add(Kind::agreed, "open", open, system(), path_to_open(), mode, needed_out<int>()).prepare =
      write_a_text;
}

// One that a call before has not closed is used again.
void make_a_file(Stage& stage) {
  if (PIOc_File_is_Open(stage.spare) != 0) return;
  int iotype = PIO_IOTYPE_NETCDF;
  EXPECT_DONE(
      PIOc_createfile(stage.system, &stage.spare, &iotype, stage.path("spare.nc").c_str(), PIO_CLOBBER));
}

void make_a_file_to_delete(Stage& stage) {
  stage.spare = -1;
  make_a_file(stage);
  EXPECT_DONE(PIOc_closefile(stage.spare));
}

Argument<int> spare_file() {
  Argument<int> ids = file();
  ids.right = [](Stage& stage) { return stage.spare; };
  return ids;
}

int enddef_and_redef(int id) {
  const int code = PIOc_enddef(id);
  return code == PIO_NOERR ? PIOc_redef(id) : code;
}
int redef_and_enddef(int id) {
  const int code = PIOc_redef(id);
  return code == PIO_NOERR ? PIOc_enddef(id) : code;
}

void add_modes(Table& table) {
  const Codes different_files{PIO_EPERM, PIO_EINVAL};
  table.add(Kind::agreed, "sync", PIOc_sync, file());
  table.add(Kind::agreed, "redef", redef_and_enddef,
            file()
                .also("read-only file", different_files, [](Stage& stage) { return stage.read_only; })
                .also("file in define mode", {PIO_EINDEFINE, PIO_EINVAL},
                      [](Stage& stage) { return stage.in_define_mode; }));
  Argument<int> defining = file();
  defining.right = [](Stage& stage) { return stage.in_define_mode; };
  table.add(Kind::agreed, "enddef", enddef_and_redef,
            defining
                .also("read-only file", {PIO_ENOTINDEFINE, PIO_EINVAL},
                      [](Stage& stage) { return stage.read_only; })
                .also("file in data mode", {PIO_ENOTINDEFINE, PIO_EINVAL},
                      [](Stage& stage) { return stage.in_data_mode; }));
  table.add(Kind::definition, "set_fill", PIOc_set_fill, file_to_change(),
            any<int>(PIO_NOFILL).also("unknown fill mode", PIO_EINVAL, [](Stage&) { return 5; }), out<int>());
}

}  // namespace

void add_files(Table& table) {
  add_opening(table);
  table.add(Kind::agreed, "closefile", PIOc_closefile, spare_file()).prepare = make_a_file;
  table
      .add(Kind::agreed, "deletefile", PIOc_deletefile, system(),
           path("spare.nc").also("absent file", {-1, k_only_all}, path_of("absent.nc")))
      .prepare = make_a_file_to_delete;
  add_modes(table);
  table.add(Kind::inquiry, "inq_format", PIOc_inq_format, file(), out<int>());
}

namespace {

Argument<int> usable_decomposition() {
  return decomposition()
      .also("decomposition of another system", PIO_EBADID, [](Stage& stage) { return stage.foreign; })
      .also("decomposition of other extents", PIO_EINVAL,
            [](Stage& stage) { return stage.of_other_extents; });
}

Argument<PIO_Offset> elements() {
  Argument<PIO_Offset> lengths{[](Stage& stage) { return static_cast<PIO_Offset>(stage.map.size()); }, {}};
  return lengths.also("too short", PIO_EINVAL, [](Stage&) { return PIO_Offset{0}; })
      .also("negative length", PIO_EINVAL, [](Stage&) { return PIO_Offset{-1}; });
}

Argument<int> numbers_or_text() {
  return variable(&Stage::number).also("text", PIO_ECHAR, [](Stage& stage) { return stage.text; });
}

void add_several(Table& table) {
  static int ids[2], wrong_ids[2];
  static constexpr int k_frames[] = {0, 0};
  Argument<const int*> several{[](Stage& stage) {
                                 ids[0] = stage.number;
                                 ids[1] = stage.record;
                                 return ids;
                               },
                               {}};
  const auto wrong = [](int id) {
    return [id](Stage& stage) {
      wrong_ids[0] = stage.number;
      wrong_ids[1] = id;
      return wrong_ids;
    };
  };
  several.also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("unknown variable", PIO_ENOTVAR, wrong(PIO_MAX_VARS - 1))
      .also("number of no variable", PIO_EINVAL, wrong(PIO_MAX_VARS));
  const auto count = any(2)
                         .also("no variables", PIO_EINVAL, [](Stage&) { return 0; })
                         .also("negative number of variables", PIO_EINVAL, [](Stage&) { return -1; });
  for (const bool at_once : {false, true})
    table.add(at_once ? Kind::agreed : Kind::put, "write_darray_multi", PIOc_write_darray_multi,
              file_to_change(), several, usable_decomposition(), count, elements(), data<void>(),
              any<const int*>(k_frames), any<const void**>(nullptr), any(at_once));
}

}  // namespace

void add_arrays(Table& table) {
  table.add(Kind::setting, "setframe", PIOc_setframe, file(), variable_with_a_frame(), any(0));
  table.add(Kind::setting, "advanceframe", PIOc_advanceframe, file(), variable_with_a_frame()).prepare =
      [](Stage& stage) { EXPECT_DONE(PIOc_setframe(stage.file, stage.record, -1)); };
  table.add(Kind::put, "write_darray", PIOc_write_darray, file_to_change(), numbers_or_text(),
            usable_decomposition(), elements(), data<void>(), any<const void*>(nullptr));
  add_several(table);
  table.add(Kind::agreed, "read_darray", PIOc_read_darray, file_to_read(), numbers_or_text(),
            usable_decomposition(), elements(), needed_out<void>());
}

}  // namespace scorpio::pio_test::matrix
