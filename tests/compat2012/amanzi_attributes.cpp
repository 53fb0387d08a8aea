// Amanzi's attributes and strings: all types, and the error numbers it understands. All functions are
// Collective over MPI_COMM_WORLD; one thread.
#include <algorithm>
#include <numeric>

#include "amanzi.h"

namespace amanzi {
namespace {

// What a failed check is about.
std::string about(const char* name, const char* object) { return std::string(name) + " of " + object; }

template <typename T>
void round_trip(Output& output, const char* name, datatype_t type, T value, const char* object) {
  const std::string what = about(name, object);
  EXPECT_OF(what.c_str(), 0,
            parallelIO_write_simple_attr(name, &value, type, output.file(), object, output.group()));
  T* back = nullptr;
  EXPECT_OF(what.c_str(), 0,
            parallelIO_read_simple_attr(name, reinterpret_cast<void**>(&back), type, output.file(), object,
                                        output.group()));
  EXPECT_OF(what.c_str(), 1, back != nullptr && *back == value);
  std::free(back);
}

void string_round_trip(Output& output, const char* name, const std::string& text, const char* object) {
  const std::string what = about(name, object);
  EXPECT_OF(
      what.c_str(), 0,
      parallelIO_write_simple_attr(name, text.c_str(), PIO_STRING, output.file(), object, output.group()));
  char* back = nullptr;
  EXPECT_OF(what.c_str(), 0,
            parallelIO_read_simple_attr(name, reinterpret_cast<void**>(&back), PIO_STRING, output.file(),
                                        object, output.group()));
  EXPECT_OF(what.c_str(), 1, back != nullptr && text == back);
  std::free(back);
}

template <typename T>
void array_round_trip(Output& output, const char* name, datatype_t type, std::vector<T> data,
                      std::vector<int> dims, const char* object) {
  const std::string what = about(name, object);
  const int n = static_cast<int>(dims.size());
  EXPECT_OF(
      what.c_str(), 0,
      parallelIO_write_attr(name, data.data(), type, n, dims.data(), output.file(), object, output.group()));
  T* back = nullptr;
  int ndims = -1, *found = nullptr;
  EXPECT_OF(what.c_str(), 0,
            parallelIO_read_attr(name, reinterpret_cast<void**>(&back), type, &ndims, &found, output.file(),
                                 object, output.group()));
  EXPECT_OF(what.c_str(), n, ndims);
  EXPECT_OF(what.c_str(), 1, n == 0 || (found != nullptr && std::equal(dims.begin(), dims.end(), found)));
  EXPECT_OF(what.c_str(), 1, back != nullptr && std::equal(data.begin(), data.end(), back));
  std::free(back);
  std::free(found);
}

int read_code(Output& output, const char* name, datatype_t type, const char* object) {
  void* data = nullptr;
  const int code = parallelIO_read_simple_attr(name, &data, type, output.file(), object, output.group());
  if (code == 0) std::free(data);
  return code;
}

}  // namespace

void attributes(Output& output) {
  for (const char* object : {"/", "/mesh/nodes", "mesh"}) {
    round_trip(output, "an integer", PIO_INTEGER, -7, object);
    round_trip(output, "a_double", PIO_DOUBLE, 0.1, object);
    round_trip(output, "a_float", PIO_FLOAT, 0.25f, object);
    round_trip(output, "a_long", PIO_LONG, (1L << 40) + 3, object);
    round_trip(output, "a_char", PIO_CHAR, static_cast<char>('c'), object);
    round_trip(output, "a_byte", PIO_BYTE, static_cast<char>(-3), object);
    string_round_trip(output, "a_string", "hello", object);
    string_round_trip(output, "an_empty_string", "", object);
    array_round_trip<int>(output, "integers", PIO_INTEGER, {1, 2, 3, 4, 5, 6}, {2, 3}, object);
    array_round_trip<double>(output, "doubles", PIO_DOUBLE, {0.5, 1.5, 2.5}, {3}, object);
    array_round_trip<long>(output, "longs", PIO_LONG, {1L << 33, -1, 0, 9}, {2, 1, 2}, object);
    array_round_trip<double>(output, "scalar", PIO_DOUBLE, {42.5}, {}, object);
  }
  // The ranks receive them in several messages.
  std::vector<double> many(3000);
  std::iota(many.begin(), many.end(), 0.5);
  array_round_trip<double>(output, "many_doubles", PIO_DOUBLE, many, {3000}, "/");
  string_round_trip(output, "a_long_string", std::string(20000, 'x') + "end", "/");
  // What rank 0 has is what is written.
  int own = 100 + output.rank();
  EXPECT(0, parallelIO_write_simple_attr("of_rank_0", &own, PIO_INTEGER, output.file(), "/", output.group()));
  // One that is there stays as it is.
  int other = 5;
  EXPECT(0,
         parallelIO_write_simple_attr("of_rank_0", &other, PIO_INTEGER, output.file(), "/", output.group()));
}

void wrong_attributes(Output& output) {
  EXPECT(-1, read_code(output, "a_double", PIO_DOUBLE, "/no/such/object"));
  EXPECT(-1, read_code(output, "a_double", PIO_DOUBLE, "nothing"));
  EXPECT(-5, read_code(output, "no such attribute", PIO_DOUBLE, "/"));
  EXPECT(-5, read_code(output, "no such attribute", PIO_STRING, "/mesh/nodes"));
  EXPECT(-2, read_code(output, "a_double", PIO_INTEGER, "/"));
  EXPECT(-2, read_code(output, "a_double", PIO_FLOAT, "/"));
  EXPECT(-2, read_code(output, "an integer", PIO_DOUBLE, "/"));
  EXPECT(-2, read_code(output, "a_string", PIO_INTEGER, "/"));
  EXPECT(-2, read_code(output, "an integer", PIO_STRING, "/"));
  // Amanzi asks for an int and, when that fails, for a long.
  EXPECT(-2, read_code(output, "a_long", PIO_INTEGER, "/"));
  EXPECT(0, read_code(output, "a_long", PIO_LONG, "/"));
}

// Made by h5py: strings with and without room for a NUL.
void foreign_attributes(Output& output) {
  for (const char* name : {"exact", "padded"}) {
    char* text = nullptr;
    EXPECT(0, parallelIO_read_simple_attr(name, reinterpret_cast<void**>(&text), PIO_STRING, output.file(),
                                          "/", output.group()));
    EXPECT_TRUE(text != nullptr && std::string("twelve chars") == text);
    std::free(text);
  }
  EXPECT(-2, read_code(output, "an_int32", PIO_LONG, "/group"));
  EXPECT(0, read_code(output, "an_int32", PIO_INTEGER, "/group"));
  EXPECT(-2, read_code(output, "an_int64", PIO_INTEGER, "/group"));
  EXPECT(0, read_code(output, "an_int64", PIO_LONG, "/group"));
}

void strings(Output& output) {
  const std::vector<std::string> names{"Top", "", "the one of them that is longest", "x y"};
  std::vector<char*> pointers;
  for (const std::string& name : names) pointers.push_back(const_cast<char*>(name.c_str()));
  const int n = static_cast<int>(names.size());
  EXPECT(0, parallelIO_write_str_array(pointers.data(), n, output.file(), "/lists/names", output.group()));
  char** back = nullptr;
  int found = -1;
  EXPECT(0, parallelIO_read_str_array(&back, &found, output.file(), "/lists/names", output.group()));
  EXPECT(n, found);
  for (int i = 0; i < n && i < found; ++i) {
    EXPECT_TRUE(names[static_cast<size_t>(i)] == back[i]);
    std::free(back[i]);
  }
  std::free(back);
}

}  // namespace amanzi
