// Messages of a communicator, by MPI.
#include <cstring>

#include "comm/communicator.h"

namespace scorpio::comm {

namespace {

static_assert(sizeof(MPI_Request) <= sizeof(uint64_t), "a request of MPI fits a handle");

MPI_Request request_in(uint64_t word) {
  MPI_Request request = MPI_REQUEST_NULL;
  std::memcpy(&request, &word, sizeof request);
  return request;
}

uint64_t word_of(MPI_Request request) {
  uint64_t word = 0;
  std::memcpy(&word, &request, sizeof request);
  return word;
}

}  // namespace

Transfer Communicator::send(std::span<const std::byte> bytes, int to, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, comm_, &request);
  return started(word_of(request), code);
}

Transfer Communicator::receive(std::span<std::byte> bytes, int from, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, tag, comm_, &request);
  return started(word_of(request), code);
}

Result<bool> Communicator::test(Transfer& transfer, size_t* length) {
  if (length != nullptr) *length = 0;
  if (!transfer.under_way()) return true;
  if (error_of(transfer) != MPI_SUCCESS) {
    complete(transfer);
    return mpi_status(error_of(transfer), "MPI_Isend or MPI_Irecv");
  }
  MPI_Request request = request_in(request_of(transfer));
  int finished = 0;
  MPI_Status ended;
  const int tested = MPI_Test(&request, &finished, &ended);
  if (tested == MPI_SUCCESS && finished == 0) return false;
  complete(transfer);
  SCORPIO_TRY(mpi_status(tested, "MPI_Test"));
  if (length != nullptr) {
    int bytes = 0;
    MPI_Get_count(&ended, MPI_BYTE, &bytes);
    *length = static_cast<size_t>(bytes);
  }
  return true;
}

void Communicator::wait(Transfer& transfer) {
  if (!transfer.under_way()) return;
  MPI_Request request = request_in(request_of(transfer));
  complete(transfer);
  (void)finish(MPI_SUCCESS, &request, "MPI_Test");
}

bool Communicator::cancel(Transfer& transfer) {
  if (!transfer.under_way()) return false;
  MPI_Request request = request_in(request_of(transfer));
  complete(transfer);
  if (request == MPI_REQUEST_NULL) return false;
  MPI_Status ended;
  MPI_Cancel(&request);
  MPI_Wait(&request, &ended);
  int cancelled = 0;
  MPI_Test_cancelled(&ended, &cancelled);
  return cancelled == 0;
}

Status Communicator::receive_now(std::span<std::byte> bytes, int from, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  return finish(MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, tag, comm_, &request),
                &request, "MPI_Irecv");
}

std::optional<Messages::Envelope> Communicator::probe(int tag) {
  int there = 0, count = 0;
  MPI_Status message;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &there, &message);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&message, MPI_BYTE, &count);
  return Envelope{message.MPI_SOURCE, static_cast<size_t>(count)};
}

// MPI completes the operation and then frees the request.
void Communicator::release(uint64_t word) {
  MPI_Request request = request_in(word);
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

}  // namespace scorpio::comm
