#include "block_store.h"

#include <algorithm>
#include <array>
#include <new>

#include "common/limited_waits.h"
#include "common/text_of_rank.h"
#include "failure.h"

namespace scorpio2012 {

namespace {

// The values that a rank which skipped the call needs to take part in it.
struct Head {
  int group;
  int handle;
  int family;
  int type;
  int ndims;
  std::array<int64_t, k_most_dimensions> dims;
};

// Collective: all ranks receive the arguments of rank `teller`, and their name in `name`. Returns whether
// this rank has memory for the name.
bool tell(Assembly& assembly, int teller, Head& head, std::string& name) {
  scorpio_compat::broadcast(&head, static_cast<int>(sizeof head), MPI_BYTE, teller, assembly.comm());
  return scorpio_compat::take_text_of(teller, name, assembly.comm());
}

// Returns whether this rank has memory for the copy.
bool copied(const char* text, std::string& copy) {
  try {
    copy = text;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// With the part of a rank that is none, all ranks refuse the write.
const LocalPart k_no_part{std::nullopt, nullptr, true};

Head head_of(const Place& place, const DatasetArguments& arguments) {
  Head head{};
  head.group = place.group->number();
  head.handle = arguments.handle;
  head.family = static_cast<int>(arguments.family);
  head.type = arguments.type;
  head.ndims = static_cast<int>(arguments.global->size());
  std::copy(arguments.global->begin(), arguments.global->end(), head.dims.begin());
  return head;
}

}  // namespace

int store_block(const Place& place, const DatasetArguments& arguments, int current_group,
                const LocalPart& part) {
  const StoredVariable variable{place.file->resolve(arguments.name, current_group),
                                *element_of(arguments.type, arguments.family), *arguments.global, true};
  return store(*place.group, *place.file, variable, part);
}

namespace {

// The current group of a rank in a block write that other ranks skip. A rank that skipped the call may have
// closed the group after it, so its group is that of the last call of all ranks; a rank that closed the group
// before the call has recorded it.
int group_at_the_call(const Place& place, bool skipped, bool* closed_somewhere) {
  Assembly& assembly = place.group->assembly();
  OpenFile& file = *place.file;
  std::array<int, 3> facts{assembly.rank() == 0 ? file.agreed_group() : 0,
                           !skipped && file.current_group() == 0 ? 1 : 0, file.finished() ? 1 : 0};
  scorpio_compat::all_reduce(facts.data(), 3, MPI_INT, MPI_MAX, assembly.comm());
  *closed_somewhere = facts[2] != 0;
  return facts[1] != 0 ? 0 : facts[0];
}

// Some ranks have closed the file after the call: the file is opened again for this call.
int store_reopened(const Place& place, const DatasetArguments& arguments, int current_group,
                   const LocalPart& part) {
  OpenFile& file = *place.file;
  const bool finished_here = file.finished();
  int code = file.reopen(place.group->io_system().native());
  if (code == 0) code = store_block(place, arguments, current_group, part);
  if (finished_here && file.finish() != 0) code = k_failure;
  scorpio_compat::all_reduce(&code, 1, MPI_INT, MPI_MIN, place.group->assembly().comm());
  return code == 0 ? 0 : fail("the file, which a rank had closed, cannot be opened or completed once more");
}

int store_with_skippers(const Place& place, const DatasetArguments& arguments, const LocalPart& part,
                        bool skipped) {
  bool closed_somewhere = false;
  const int current_group = group_at_the_call(place, skipped, &closed_somewhere);
  return closed_somewhere ? store_reopened(place, arguments, current_group, part)
                          : store_block(place, arguments, current_group, part);
}

}  // namespace

int store_skipped_block(const Place& place, const DatasetArguments& arguments, const LocalPart& part,
                        int teller) {
  Head head = head_of(place, arguments);
  std::string name;
  const bool tells = place.group->assembly().rank() == teller;
  const bool has_name = !tells || copied(arguments.name, name);
  (void)tell(place.group->assembly(), teller, head, name);
  return store_with_skippers(place, arguments, has_name ? part : k_no_part, false);
}

void help_block_write(Assembly& assembly, int teller) {
  const InCallOfOthers others;
  Head head{};
  std::string name;
  const bool has_name = tell(assembly, teller, head, name);
  Group* const group = assembly.group(head.group);
  const Extents dims(head.dims.begin(), head.dims.begin() + head.ndims);
  const DatasetArguments arguments{static_cast<Family>(head.family),
                                   head.type,
                                   dims,
                                   std::nullopt,
                                   std::nullopt,
                                   head.handle,
                                   name.c_str()};
  const LocalPart part{nothing_of(dims), nullptr, true};
  (void)store_with_skippers({group, group->any_file(head.handle)}, arguments, has_name ? part : k_no_part,
                            true);
}

}  // namespace scorpio2012
