// The families put_var, put_var1, put_vara, put_vars, put_varm, and those that read.
#include "../program.h"
#include "arguments.h"

namespace scorpio::pio_test::matrix {

namespace {

// Of variables of the extents 3 and 4.
constexpr PIO_Offset k_start[] = {1, 1}, k_count[] = {2, 2}, k_stride[] = {1, 2}, k_map[] = {2, 1};
constexpr PIO_Offset k_negative[] = {1, -1}, k_too_large[] = {1, 5}, k_zero[] = {1, 0};

Argument<const PIO_Offset*> position(const PIO_Offset* right, int code) {
  return any<const PIO_Offset*>(right)
      .also("NULL", PIO_EINVAL, [](Stage&) { return nullptr; })
      .also("negative", code, fixed(k_negative))
      .also("too large", code, fixed(k_too_large));
}

Argument<const PIO_Offset*> stride() {
  return any<const PIO_Offset*>(k_stride)
      .also("stride of 0", PIO_ESTRIDE, fixed(k_zero))
      .also("negative stride", PIO_ESTRIDE, fixed(k_negative))
      .also("too large stride", PIO_EEDGE, fixed(k_too_large));
}

Argument<int> of(bool is_text, bool is_typed) {
  auto ids = variable(is_text ? &Stage::text : &Stage::number);
  ids.also("no variable but the file", PIO_EGLOBAL, [](Stage&) { return PIO_GLOBAL; });
  if (is_typed && is_text) ids.also("numbers", PIO_ECHAR, [](Stage& stage) { return stage.number; });
  if (is_typed && !is_text) ids.also("text", PIO_ECHAR, [](Stage& stage) { return stage.text; });
  return ids;
}

#define ADD_REGIONS(SUFFIX, T)                                                                              \
  table.add(Kind::put, "put_var" #SUFFIX, PIOc_put_var##SUFFIX, file_to_change(), ids, data<T>());          \
  table.add(Kind::agreed, "get_var" #SUFFIX, PIOc_get_var##SUFFIX, file_to_read(), ids, needed_out<T>());   \
  table.add(Kind::put, "put_var1" #SUFFIX, PIOc_put_var1##SUFFIX, file_to_change(), ids, start, data<T>()); \
  table.add(Kind::agreed, "get_var1" #SUFFIX, PIOc_get_var1##SUFFIX, file_to_read(), ids, start,            \
            needed_out<T>());                                                                               \
  table.add(Kind::put, "put_vara" #SUFFIX, PIOc_put_vara##SUFFIX, file_to_change(), ids, start, count,      \
            data<T>());                                                                                     \
  table.add(Kind::agreed, "get_vara" #SUFFIX, PIOc_get_vara##SUFFIX, file_to_read(), ids, start, count,     \
            needed_out<T>());                                                                               \
  table.add(Kind::put, "put_vars" #SUFFIX, PIOc_put_vars##SUFFIX, file_to_change(), ids, start, count,      \
            stride(), data<T>());                                                                           \
  table.add(Kind::agreed, "get_vars" #SUFFIX, PIOc_get_vars##SUFFIX, file_to_read(), ids, start, count,     \
            stride(), needed_out<T>());
#define ADD_MAPPED(SUFFIX, T)                                                                           \
  table.add(Kind::put, "put_varm" #SUFFIX, PIOc_put_varm##SUFFIX, file_to_change(), ids, start, count,  \
            stride(), map, data<T>());                                                                  \
  table.add(Kind::agreed, "get_varm" #SUFFIX, PIOc_get_varm##SUFFIX, file_to_read(), ids, start, count, \
            stride(), map, needed_out<T>());
#define ADD(NAME, T)                            \
  {                                             \
    const auto ids = of(#NAME[0] == 't', true); \
    ADD_REGIONS(_##NAME, T)                     \
    ADD_MAPPED(_##NAME, T)                      \
  }

}  // namespace

void add_data(Table& table) {
  const auto start = position(k_start, PIO_EINVALCOORDS);
  const auto count = position(k_count, PIO_EEDGE);
  const auto map = any<const PIO_Offset*>(k_map);
  ADD(text, char)
  FOR_ALL_NUMBERS(ADD)
  const auto ids = of(false, false);
  ADD_REGIONS(, void)
  const auto elements = any<PIO_Offset>(4);
  const auto memory =
      any<MPI_Datatype>(MPI_DOUBLE)
          .also("type of several elements", PIO_EBADTYPE,
                [](Stage&) { return static_cast<MPI_Datatype>(MPI_2INT); })
          .also("text", PIO_ECHAR, [](Stage&) { return static_cast<MPI_Datatype>(MPI_CHAR); });
  table.add(Kind::put, "put_varm", PIOc_put_varm, file_to_change(), ids, start, count, stride(), map,
            data<void>(), elements, memory);
  table.add(Kind::agreed, "get_varm", PIOc_get_varm, file_to_read(), ids, start, count, stride(), map,
            needed_out<void>(), elements, memory);
}

}  // namespace scorpio::pio_test::matrix
