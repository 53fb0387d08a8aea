#include "model/soft_links.h"

#include <algorithm>
#include <deque>

#include "model/path.h"

namespace scorpio::model {

namespace {

// The limit of HDF5's default.
constexpr int k_most_links = 16;

std::deque<std::string> parts_of(const std::string& path) {
  std::deque<std::string> parts;
  for (size_t from = 0; from < path.size();) {
    const size_t to = std::min(path.find('/', from), path.size());
    if (to > from) parts.push_back(path.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

}  // namespace

Result<std::string> follow(const SoftLinks& links, const std::string& path) {
  if (links.empty()) return normalise(path);
  SCORPIO_ASSIGN(const std::string normal, normalise(path));
  std::deque<std::string> ahead = parts_of(normal);
  std::string reached;  // without the slash of the root
  for (int followed = 0; !ahead.empty();) {
    const std::string next = reached + "/" + ahead.front();
    ahead.pop_front();
    const auto link = links.find(next);
    if (link == links.end()) {
      reached = next;
      continue;
    }
    if (++followed > k_most_links) {
      return failure(Code::not_found, "{} leads through more than {} soft links", normal, k_most_links);
    }
    const std::deque<std::string> target = parts_of(link->second.target);
    ahead.insert(ahead.begin(), target.begin(), target.end());
    if (link->second.target.starts_with('/')) reached.clear();
  }
  return reached.empty() ? "/" : reached;
}

}  // namespace scorpio::model
