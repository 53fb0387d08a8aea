#include "exchange/link/channel_context.h"

#include <algorithm>

namespace scorpio::exchange {

int ChannelContext::owner_of_rank(int rank) const {
  const auto at = std::find(io_ranks->begin(), io_ranks->end(), rank);
  return at == io_ranks->end() ? -1 : static_cast<int>(at - io_ranks->begin());
}

}  // namespace scorpio::exchange
