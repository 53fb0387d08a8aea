/* The calls of the interface, each with the arguments of the struct. One thread. */
#include "bad_calls.h"

static int read_dataset(Arguments* a) {
  return scorpio_read_dataset(a->buffer, (datatype_t)a->type, a->ndims, a->global, a->local, a->file, a->name,
                              a->group, (iopattern_t)a->pattern);
}

static int write_dataset(Arguments* a) {
  return scorpio_write_dataset(a->buffer, (datatype_t)a->type, a->ndims, a->global, a->local, a->file,
                               a->name, a->group, (iopattern_t)a->pattern);
}

static int write_dataset2(Arguments* a) {
  return scorpio_write_dataset2(a->buffer, (datatype_t)a->type, a->ndims, a->global, a->local, a->file,
                                a->name, a->group);
}

static int read_block(Arguments* a) {
  return scorpio_read_dataset_block(a->buffer, (datatype_t)a->type, a->ndims, a->global, a->local, a->start,
                                    a->file, a->name, a->group);
}

static int write_block(Arguments* a) {
  return scorpio_write_dataset_block(a->buffer, (datatype_t)a->type, a->ndims, a->global, a->local, a->start,
                                     a->file, a->name, a->group);
}

static int read_same_sub(Arguments* a) {
  int block[4] = {1, 2, 1, 1};
  block[1] += a->local[1] < 0 ? 100 : 0;
  return scorpio_read_same_sub_dataset(a->buffer, (datatype_t)a->type, a->ndims, block, a->start, a->file,
                                       a->name, a->group);
}

static void widen(const int* from, int64_t* to) {
  for (int d = 0; d < 4; ++d) to[d] = from[d];
}

static int read_indexed(Arguments* a) {
  int64_t dims[4];
  widen(a->global, dims);
  return scorpio_read_dataset_indexed(a->buffer, (datatype_t)a->type, a->ndims, dims, a->n, a->index, a->file,
                                      a->name, a->group);
}

static int write_indexed(Arguments* a) {
  int64_t dims[4];
  widen(a->global, dims);
  return scorpio_write_dataset_indexed(a->buffer, (datatype_t)a->type, a->ndims, dims, a->n, a->index,
                                       a->file, a->name, a->group);
}

static int get_ndims(Arguments* a) {
  int ndims = 0;
  return scorpio_get_dataset_ndims(a->buffer == NULL ? NULL : &ndims, a->file, a->name, a->group);
}

static int get_dims(Arguments* a) {
  int dims[4];
  return scorpio_get_dataset_dims(a->buffer == NULL ? NULL : dims, a->file, a->name, a->group);
}

static int get_size(Arguments* a) {
  int size = 0;
  return scorpio_get_dataset_size(a->buffer == NULL ? NULL : &size, a->file, a->name, a->group);
}

static int get_dims64(Arguments* a) {
  int64_t dims[4];
  return scorpio_get_dataset_dims64(a->buffer == NULL ? NULL : dims, a->file, a->name, a->group);
}

static int get_size64(Arguments* a) {
  int64_t size = 0;
  return scorpio_get_dataset_size64(a->buffer == NULL ? NULL : &size, a->file, a->name, a->group);
}

static int group_exists(Arguments* a) { return scorpio_group_exists(a->name, a->file, a->group); }

static int dataset_exists(Arguments* a) { return scorpio_dataset_exists(a->name, a->file, a->group); }

static int write_simple_attr(Arguments* a) {
  return scorpio_write_simple_attr(a->attribute, a->buffer, (datatype_t)a->type, a->file, a->name, a->group);
}

static int write_attr(Arguments* a) {
  return scorpio_write_attr(a->attribute, a->buffer, (datatype_t)a->type, a->ndims, a->global, a->file,
                            a->name, a->group);
}

static int read_simple_attr(Arguments* a) {
  void* data = NULL;
  const int code = scorpio_read_simple_attr(a->attribute, a->buffer == NULL ? NULL : &data,
                                            (datatype_t)a->type, a->file, a->name, a->group);
  if (code == 0) free(data);
  return code;
}

static int read_attr(Arguments* a) {
  void* data = NULL;
  int ndims = 0, *dims = NULL;
  const int code = scorpio_read_attr(a->attribute, a->buffer == NULL ? NULL : &data, (datatype_t)a->type,
                                     &ndims, &dims, a->file, a->name, a->group);
  if (code == 0) free(data);
  if (code == 0) free(dims);
  return code;
}

static int write_strings(Arguments* a) {
  char word[] = "word";
  char* words[2] = {word, word};
  return scorpio_write_str_array(words, 2, a->file, a->name, a->group);
}

static int read_strings(Arguments* a) {
  char** strings = NULL;
  int n = 0;
  const int code =
      scorpio_read_str_array(&strings, a->buffer == NULL ? NULL : &n, a->file, a->name, a->group);
  for (int i = 0; code == 0 && i < n; ++i) free(strings[i]);
  if (code == 0) free(strings);
  return code;
}

static int create_group(Arguments* a) {
  const int64_t id = scorpio_create_dataset_group(a->name, a->file, a->group);
  return id < 0 ? (int)id : 0;
}

static int create_link(Arguments* a) {
  return scorpio_create_link("/good", a->location, a->name, a->file, a->group);
}

static int set_index_list(Arguments* a) { return scorpio_set_index_list(a->n, a->index, a->file, a->group); }

enum {
  k_array = HAS_NAME | HAS_TYPE | HAS_NDIMS | HAS_GLOBAL | HAS_BUFFER,
  k_query = HAS_NAME | HAS_BUFFER | MUST_EXIST,
  k_read = k_array | MUST_EXIST,
  k_write = k_array | WRITES,
  k_attribute = HAS_NAME | HAS_TYPE | HAS_ATTRIBUTE | HAS_BUFFER | MUST_EXIST
};

const Call k_calls[] = {
    {"read uniform", k_read | HAS_LOCAL | HAS_PATTERN, read_dataset, SCORPIO_UNIFORM_CONTIGUOUS_READ},
    {"read nonuniform", k_read | HAS_LOCAL | HAS_PATTERN, read_dataset, SCORPIO_NONUNIFORM_CONTIGUOUS_READ},
    {"read entire", k_read | HAS_PATTERN, read_dataset, SCORPIO_EVERYONE_ENTIRE_DATASET_READ},
    {"write uniform", k_write | HAS_LOCAL | HAS_PATTERN, write_dataset, SCORPIO_UNIFORM_CONTIGUOUS_WRITE},
    {"write nonuniform", k_write | HAS_LOCAL | HAS_PATTERN, write_dataset,
     SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE},
    {"write entire", k_write | HAS_PATTERN, write_dataset, SCORPIO_EVERYONE_ENTIRE_DATASET_WRITE},
    {"write_dataset2", k_write | HAS_LOCAL, write_dataset2, 0},
    {"read_dataset_block", k_read | HAS_LOCAL | HAS_START | MATCHES_FILE, read_block, 0},
    {"write_dataset_block", k_write | HAS_LOCAL | HAS_START, write_block, 0},
    {"read_same_sub_dataset", (k_read & ~HAS_GLOBAL) | HAS_START, read_same_sub, 0},
    {"read_dataset_indexed", k_read | HAS_INDEX | MATCHES_FILE, read_indexed, 0},
    {"write_dataset_indexed", k_write | HAS_INDEX, write_indexed, 0},
    {"get_dataset_ndims", k_query, get_ndims, 0},
    {"get_dataset_dims", k_query, get_dims, 0},
    {"get_dataset_size", k_query, get_size, 0},
    {"get_dataset_dims64", k_query, get_dims64, 0},
    {"get_dataset_size64", k_query, get_size64, 0},
    {"group_exists", HAS_NAME | ANSWERS, group_exists, 0},
    {"dataset_exists", HAS_NAME | ANSWERS, dataset_exists, 0},
    {"write_simple_attr", k_attribute | WRITES, write_simple_attr, 0},
    {"write_attr", k_attribute | HAS_NDIMS | HAS_GLOBAL | WRITES, write_attr, 0},
    {"read_simple_attr", k_attribute | READS_ATTRIBUTE, read_simple_attr, 0},
    {"read_attr", k_attribute | READS_ATTRIBUTE, read_attr, 0},
    {"write_str_array", HAS_NAME | WRITES, write_strings, 0},
    {"read_str_array", k_query, read_strings, 0},
    {"create_dataset_group", HAS_NAME | WRITES, create_group, 0},
    {"create_link", HAS_NAME | HAS_LOCATION | WRITES, create_link, 0},
    {"set_index_list", HAS_INDEX, set_index_list, 0},
    {NULL, 0, NULL, 0},
};
