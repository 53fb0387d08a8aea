// Dimensions, variables and attributes.
#include "../program.h"
#include "arguments.h"

namespace scorpio::pio_test::matrix {

namespace {

void take_a_name(Stage& stage) { stage.name = stage.fresh("name"); }

// One that needs more room than the one before.
void take_a_longer_name(Stage& stage) { stage.name = stage.fresh("longer_name"); }

// A new one for each call.
void make_a_variable(Stage& stage) {
  EXPECT_DONE(PIOc_def_var(stage.file, stage.fresh("variable").c_str(), PIO_INT, 0, nullptr, &stage.spare));
  take_a_name(stage);
}

void make_an_attribute(Stage& stage) {
  take_a_name(stage);
  EXPECT_DONE(PIOc_put_att_text(stage.file, PIO_GLOBAL, stage.name.c_str(), 1, "a"));
}

Argument<int> spare(Argument<int> ids) {
  ids.right = [](Stage& stage) { return stage.spare; };
  return ids;
}

Argument<int> y() {
  Argument<int> ids = dimension();
  ids.right = [](Stage& stage) { return stage.y; };
  return ids;
}

Argument<const int*> dimensions() {
  static int right[2], unknown[2], not_first[2];
  Argument<const int*> ids{[](Stage& stage) {
                             right[0] = stage.time;
                             right[1] = stage.x;
                             return right;
                           },
                           {}};
  ids.also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("unknown dimension", PIO_EBADDIM, [](Stage& stage) {
        unknown[0] = stage.x;
        unknown[1] = k_unknown;
        return unknown;
      });
  if (makes_netcdf4()) return ids;
  return ids.also("unlimited dimension not first", PIO_EINVAL, [](Stage& stage) {
    not_first[0] = stage.x;
    not_first[1] = stage.time;
    return not_first;
  });
}

}  // namespace

void add_dimensions(Table& table) {
  const auto number = out<int>();
  table.add(Kind::inquiry, "inq", PIOc_inq, file(), number, number, number, number);
  table.add(Kind::inquiry, "inq_ndims", PIOc_inq_ndims, file(), number);
  table.add(Kind::inquiry, "inq_nvars", PIOc_inq_nvars, file(), number);
  table.add(Kind::inquiry, "inq_natts", PIOc_inq_natts, file(), number);
  table.add(Kind::inquiry, "inq_unlimdim", PIOc_inq_unlimdim, file(), number);
  table.add(Kind::inquiry, "inq_unlimdims", PIOc_inq_unlimdims, file(), number, number);
  table.add(Kind::inquiry, "inq_type", PIOc_inq_type, file(), type(), out<char>(), out<PIO_Offset>());
  auto extent =
      any<PIO_Offset>(2).also("negative length", PIO_EDIMSIZE, [](Stage&) { return PIO_Offset{-1}; });
  if (!makes_netcdf4())
    extent.also("second unlimited one", PIO_EUNLIMIT, [](Stage&) { return PIO_Offset{PIO_UNLIMITED}; });
  table.add(Kind::definition, "def_dim", PIOc_def_dim, file_to_define(), new_name("x"), extent, number)
      .prepare = take_a_name;
  table.add(Kind::inquiry, "inq_dim", PIOc_inq_dim, file(), dimension(), out<char>(), out<PIO_Offset>());
  table.add(Kind::inquiry, "inq_dimid", PIOc_inq_dimid, file(), known_name("x", PIO_EBADDIM), number);
  table.add(Kind::inquiry, "inq_dimname", PIOc_inq_dimname, file(), dimension(), out<char>());
  table.add(Kind::inquiry, "inq_dimlen", PIOc_inq_dimlen, file(), dimension(), out<PIO_Offset>());
  table.add(Kind::definition, "rename_dim", PIOc_rename_dim, file_to_define(), y(), new_name("x")).prepare =
      take_a_name;
}

void add_variables(Table& table) {
  const auto number = out<int>();
  const auto of = variable(&Stage::number);
  table
      .add(Kind::definition, "def_var", PIOc_def_var, file_to_define(), new_name("number"), type(),
           any(2).also("negative number of dimensions", PIO_EINVAL, [](Stage&) { return -1; }), dimensions(),
           number)
      .prepare = take_a_name;
  table.add(Kind::inquiry, "inq_varid", PIOc_inq_varid, file(), known_name("number", PIO_ENOTVAR), number);
  const auto capacity = any(64).also("no room", PIO_EINVAL, [](Stage&) { return 0; });
  table.add(Kind::inquiry, "inq_var", PIOc_inq_var, file(), of, out<char>(), capacity, out<nc_type>(), number,
            number, number);
  table.add(Kind::inquiry, "inq_varname", PIOc_inq_varname, file(), of, out<char>(), capacity);
  table.add(Kind::inquiry, "inq_vartype", PIOc_inq_vartype, file(), of, number);
  table.add(Kind::inquiry, "inq_varndims", PIOc_inq_varndims, file(), of, number);
  table.add(Kind::inquiry, "inq_vardimid", PIOc_inq_vardimid, file(), of, number);
  table.add(Kind::inquiry, "inq_varnatts", PIOc_inq_varnatts, file(), of, number);
  table.add(Kind::definition, "rename_var", PIOc_rename_var, file_to_define(), of, new_name("text")).prepare =
      take_a_longer_name;
  static constexpr int k_fill = 7;
  table
      .add(Kind::definition, "def_var_fill", PIOc_def_var_fill, file(), spare(of),
           any(0).also("unknown fill mode", PIO_EINVAL, [](Stage&) { return 42; }), any<const void*>(&k_fill))
      .prepare = make_a_variable;
  table
      .add(Kind::definition, "def_var_fill", PIOc_def_var_fill, file_to_define(), of, any(0),
           any<const void*>(&k_fill))
      .right_code = makes_netcdf4() ? PIO_ELATEDEF : PIO_NOERR;
  table.add(Kind::inquiry, "inq_var_fill", PIOc_inq_var_fill, file(), of, number, out<void>());
}

namespace {

Argument<PIO_Offset> length() {
  return any<PIO_Offset>(2).also("negative length", PIO_EINVAL, [](Stage&) { return PIO_Offset{-1}; });
}

Argument<nc_type> type_of_numbers() {
  return type().also("text", PIO_ECHAR, [](Stage&) { return PIO_CHAR; });
}

template <typename T>
void add_values(Table& table, const std::string& suffix,
                int (*put)(int, int, const char*, nc_type, PIO_Offset, const T*),
                int (*get)(int, int, const char*, T*)) {
  const bool is_typed = !suffix.empty();
  table
      .add(Kind::definition, "put_att" + suffix, put, file_to_define(), object(), new_name(nullptr),
           is_typed ? type_of_numbers() : type(), length(), data<T>())
      .prepare = take_a_name;
  auto name = known_name("numbers", PIO_ENOTATT);
  if (is_typed) name.also("text", PIO_ECHAR, [](Stage&) { return "title"; });
  table.add(Kind::inquiry, "get_att" + suffix, get, file(), object(), name, needed_out<T>());
}

}  // namespace

void add_attributes(Table& table) {
  const auto name = known_name("title", PIO_ENOTATT);
  table.add(Kind::inquiry, "inq_att", PIOc_inq_att, file(), object(), name, out<nc_type>(),
            out<PIO_Offset>());
  table.add(Kind::inquiry, "inq_attid", PIOc_inq_attid, file(), object(), name, out<int>());
  table.add(Kind::inquiry, "inq_attlen", PIOc_inq_attlen, file(), object(), name, out<PIO_Offset>());
  table.add(Kind::inquiry, "inq_atttype", PIOc_inq_atttype, file(), object(), name, out<nc_type>());
  const auto number = any(0)
                          .also("unknown number", PIO_ENOTATT, [](Stage&) { return k_unknown; })
                          .also("negative number", PIO_ENOTATT, [](Stage&) { return -1; });
  table.add(Kind::inquiry, "inq_attname", PIOc_inq_attname, file(), object(), number, out<char>());
  auto other_name = new_name("title");
  other_name.right = [](Stage& stage) {
    static std::string other;
    other = "other_" + stage.name;
    return other.c_str();
  };
  table
      .add(Kind::definition, "rename_att", PIOc_rename_att, file_to_define(PIO_ENOTATT), object(),
           prepared_name(PIO_ENOTATT), other_name)
      .prepare = make_an_attribute;
  table.add(Kind::definition, "del_att", PIOc_del_att, file_to_define(), object(), prepared_name(PIO_ENOTATT))
      .prepare = make_an_attribute;
  Argument<int> from = file();
  from.right = [](Stage& stage) { return stage.read_only; };
  table.add(Kind::definition, "copy_att", PIOc_copy_att, from, object(), name, file_to_define(),
            variable(&Stage::number));
#define ADD(NAME, T) add_values<T>(table, "_" #NAME, PIOc_put_att_##NAME, PIOc_get_att_##NAME);
  FOR_ALL_NUMBERS(ADD)
#undef ADD
  add_values<void>(table, "", PIOc_put_att, PIOc_get_att);
  table
      .add(Kind::definition, "put_att_text", PIOc_put_att_text, file_to_define(), object(), new_name(nullptr),
           length(), data<char>())
      .prepare = take_a_name;
  auto text = known_name("title", PIO_ENOTATT);
  text.also("numbers", PIO_ECHAR, [](Stage&) { return "numbers"; });
  table.add(Kind::inquiry, "get_att_text", PIOc_get_att_text, file(), object(), text, needed_out<char>());
}

namespace {

void make_an_array(Stage& stage) {
  const int dims[] = {stage.y, stage.x};
  EXPECT_DONE(PIOc_def_var(stage.file, stage.fresh("array").c_str(), PIO_INT, 2, dims, &stage.spare));
}

Argument<const PIO_Offset*> chunk() {
  static constexpr PIO_Offset k_right[] = {2, 4}, k_too_large[] = {2, 5}, k_negative[] = {-1, 4};
  return any<const PIO_Offset*>(k_right)
      .also("too large chunk", PIO_EBADCHUNK, fixed(k_too_large))
      .also("negative chunk", PIO_EBADCHUNK, fixed(k_negative));
}

void add_storage_of_netcdf4(Table& table) {
  const auto of = spare(variable(&Stage::number));
  const auto level = any(3)
                         .also("too high level", PIO_EINVAL, [](Stage&) { return 10; })
                         .also("negative level", PIO_EINVAL, [](Stage&) { return -1; });
  const auto form = any<int>(NC_CHUNKED).also("unknown form", PIO_EINVAL, [](Stage&) { return 7; });
  const auto order = any<int>(NC_ENDIAN_BIG).also("unknown order", PIO_EINVAL, [](Stage&) { return 7; });
  table.add(Kind::definition, "def_var_deflate", PIOc_def_var_deflate, file(), of, any(1), any(1), level)
      .prepare = make_an_array;
  table.add(Kind::definition, "def_var_chunking", PIOc_def_var_chunking, file(), of, form, chunk()).prepare =
      make_an_array;
  table.add(Kind::definition, "def_var_endian", PIOc_def_var_endian, file(), of, order).prepare =
      make_an_array;
  const auto known = variable(&Stage::number);
  const auto number = out<int>();
  table.add(Kind::inquiry, "inq_var_deflate", PIOc_inq_var_deflate, file(), known, number, number, number);
  table.add(Kind::inquiry, "inq_var_chunking", PIOc_inq_var_chunking, file(), known, number,
            out<PIO_Offset>());
  table.add(Kind::inquiry, "inq_var_endian", PIOc_inq_var_endian, file(), known, number);
  const auto size =
      any<PIO_Offset>(1).also("negative size", PIO_EINVAL, [](Stage&) { return PIO_Offset{-1}; });
  const auto share = any(0.5f).also("more than all", PIO_EINVAL, [](Stage&) { return 1.5f; });
  const auto places = out<PIO_Offset>();
  const auto iotype = any<int>(usual_iotype())
                          .also("unknown I/O type", PIO_EBADIOTYPE, [](Stage&) { return 99; })
                          .also("classic I/O type", PIO_ENOTNC4, [](Stage&) { return PIO_IOTYPE_PNETCDF; });
  table.add(Kind::setting, "set_var_chunk_cache", PIOc_set_var_chunk_cache, file(), known, size, size, share);
  table.add(Kind::inquiry, "get_var_chunk_cache", PIOc_get_var_chunk_cache, file(), known, places, places,
            out<float>());
  table.add(Kind::setting, "set_chunk_cache", PIOc_set_chunk_cache, system(), iotype, size, size, share);
  table.add(Kind::inquiry, "get_chunk_cache", PIOc_get_chunk_cache, system(), iotype, places, places,
            out<float>());
}

Argument<int> any_variable() {
  Argument<int> ids{[](Stage& stage) { return stage.number; }, {}};
  return ids.also("unknown variable", PIO_ENOTNC4, [](Stage&) { return k_unknown; });
}

}  // namespace

// The form of storage of classic files cannot be chosen, of whichever variable.
void add_storage(Table& table) {
  if (makes_netcdf4()) return add_storage_of_netcdf4(table);
  const auto of = any_variable();
  const auto number = out<int>();
  const auto add_one = [&](Kind kind, const char* name, auto function, const auto&... arguments) {
    table.add(kind, name, function, file(), of, arguments...).right_code = PIO_ENOTNC4;
  };
  add_one(Kind::setting, "def_var_deflate", PIOc_def_var_deflate, any(0), any(1), any(1));
  add_one(Kind::inquiry, "inq_var_deflate", PIOc_inq_var_deflate, number, number, number);
  add_one(Kind::setting, "def_var_chunking", PIOc_def_var_chunking, any(0), any<const PIO_Offset*>(nullptr));
  add_one(Kind::inquiry, "inq_var_chunking", PIOc_inq_var_chunking, number, out<PIO_Offset>());
  add_one(Kind::setting, "def_var_endian", PIOc_def_var_endian, any(0));
  add_one(Kind::inquiry, "inq_var_endian", PIOc_inq_var_endian, number);
  const auto size = any<PIO_Offset>(1);
  const auto share = any(0.5f);
  const auto places = out<PIO_Offset>();
  add_one(Kind::setting, "set_var_chunk_cache", PIOc_set_var_chunk_cache, size, size, share);
  add_one(Kind::inquiry, "get_var_chunk_cache", PIOc_get_var_chunk_cache, places, places, out<float>());
  const auto iotype =
      any<int>(PIO_IOTYPE_PNETCDF).also("unknown I/O type", PIO_EBADIOTYPE, [](Stage&) { return 99; });
  table.add(Kind::setting, "set_chunk_cache", PIOc_set_chunk_cache, system(), iotype, size, size, share)
      .right_code = PIO_ENOTNC4;
  table
      .add(Kind::inquiry, "get_chunk_cache", PIOc_get_chunk_cache, system(), iotype, places, places,
           out<float>())
      .right_code = PIO_ENOTNC4;
}

}  // namespace scorpio::pio_test::matrix
