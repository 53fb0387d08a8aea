#include "io_system.h"

#include "failure.h"

namespace scorpio_pio {

namespace {

struct OptionsDeleter {
  void operator()(scorpio_options* options) const { (void)scorpio_options_free(options); }
};

int set_placement(scorpio_options* options, const Placement& placement) {
  const std::pair<const char*, int> pairs[] = {
      {"io_ranks", placement.io_tasks}, {"io_stride", placement.stride}, {"io_base", placement.base}};
  for (const auto& [name, value] : pairs) {
    const int code = scorpio_options_set(options, name, std::to_string(value).c_str());
    if (code != SCORPIO_OK) return code;
  }
  return SCORPIO_OK;
}

}  // namespace

int IoSystem::create(MPI_Comm comm, const Placement& placement, std::shared_ptr<IoSystem>& made) {
  scorpio_options* options = nullptr;
  if (const int code = scorpio_options_create(&options); code != SCORPIO_OK) return natively(code);
  const std::unique_ptr<scorpio_options, OptionsDeleter> owner(options);
  if (const int code = set_placement(options, placement); code != SCORPIO_OK) return natively(code);
  scorpio_iosystem* native = nullptr;
  if (const int code = scorpio_iosystem_create(comm, options, &native); code != SCORPIO_OK)
    return natively(code);
  made.reset(new IoSystem());
  made->native_ = native;
  MPI_Comm_dup(comm, &made->comm_);
  MPI_Comm_rank(comm, &made->rank_);
  MPI_Comm_size(comm, &made->ranks_);
  made->root_ = placement.base;
  made->rearranger_options = {PIO_REARR_COMM_COLL, PIO_REARR_COMM_FC_2D_DISABLE, {}, {}};
  return PIO_NOERR;
}

IoSystem::~IoSystem() = default;

int IoSystem::free() {
  const int code = scorpio_iosystem_free(native_);
  native_ = nullptr;
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  return natively(code);
}

int IoSystem::agree(int code) const {
  std::array<int, 2> lowest{code < 0 ? code : 0, code < 0 ? rank_ : ranks_};
  MPI_Allreduce(MPI_IN_PLACE, lowest.data(), 1, MPI_2INT, MPI_MINLOC, comm_);
  if (lowest[0] == 0) return PIO_NOERR;
  std::string text = lowest[1] == rank_ ? reason() : "";
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, lowest[1], comm_);
  text.resize(static_cast<size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, lowest[1], comm_);
  return fail_with(lowest[0], text);
}

}  // namespace scorpio_pio
