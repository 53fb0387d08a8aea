// I/O systems with drawn options, their decompositions, and the completion of posted files.
#include <algorithm>

#include "api/random_draws.h"
#include "program.h"

namespace scorpio::drawn {

Settings Program::draw_system_settings() {
  Settings settings{{"timeout_s", "60"}};
  const auto set = [&](size_t n, const char* name, std::initializer_list<const char*> values) {
    if (draws_.one_in(n)) settings.emplace_back(name, draws_.of(values));
  };
  set(1, "staging_bytes", {"64k", "64k", "100k", "256k", "1m", "16m"});
  set(2, "staging_files", {"1", "2", "3", "4"});
  set(2, "block_bytes", {"512", "4k", "64k", "1m"});
  set(3, "chunk_bytes", {"64k", "256k", "1m"});
  set(2, "domains", {"cyclic", "contiguous", "balanced"});
  set(5, "exchange", {"messages", "shared"});
  set(2, "transfer", {"messages", "alltoall", "neighbor"});
  set(4, "ranges", {"allgather", "allreduce"});
  set(4, "file_name", {"close"});
  set(4, "combine", {"false"});
  set(4, "gather_writes", {"true"});
  set(4, "shared_encoding", {"false"});
  set(4, "writers", {"1", "2"});
  set(4, "chunk_goal", {"map", "timeseries", "write"});
  set(4, "expected_records", {"1", "3", "100"});
  set(4, "async_files", {"1", "2", "3"});
  set(4, "journal", {"false"});
  set(5, "worker_cpus", {"rank", "0", "0-1"});
  set(6, "text_padding", {"nullterm"});
  set(8, "durable", {"true"});
  if (draws_.one_in(2)) settings.emplace_back("nodes", std::to_string(draws_.between(1, ranks_)));
  if (draws_.one_in(3))
    settings.emplace_back("store_faults", draws_.of({"write:*3=3ms", "write:*2=1ms;open:*2=5ms", "any:*4=2ms",
                                                     "write:1=20ms;write:2=0ms"}));
  if (draws_.one_in(2)) {
    settings.emplace_back("asynchronous", "true");
    set(2, "close", {"post"});
    set(2, "sync", {"post"});
    set(4, "bandwidth", {"1m", "200k"});
    if (threads_) set(2, "progress_thread", {"true"});
  }
  if (draws_.one_in(3)) {
    settings.emplace_back(
        "file_options",
        draws_.of(
            {"f[0-3]* asynchronous=true close=post sync=post; f0* priority=2; f1* priority=1 bandwidth=500k",
             "f[024]* asynchronous=true close=post; f[13]* asynchronous=false",
             "f[012]* asynchronous=true sync=post priority=1 durable=true; f3* filters=lossless",
             "*nc asynchronous=true close=post; *h5 asynchronous=true sync=post filters=shuffle+deflate:1"}));
  }
  for (const auto& setting : api_test::random_io_ranks(draws_.engine(), ranks_)) settings.push_back(setting);
  if (killed_) {
    const int victim = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
    const std::string call = draws_.of({"any", "any", "write", "rename", "open", "truncate"}),
                      at = std::to_string(draws_.between(1, call == "any" ? 60 : 9));
    std::erase_if(settings, [](const auto& each) { return each.first == "store_faults"; });
    const bool torn = draws_.one_in(2) && call == "write";
    if (rank_ == victim)
      settings.emplace_back("store_faults", call + ":" + at + "=" + (torn ? "torn" : "kill"));
  }
  if (faults_ && (draws_.one_in(3) || own_.one_in(2))) {
    std::erase_if(settings, [](const auto& each) { return each.first == "store_faults"; });
    const std::string at = std::to_string(own_.between(1, own_.one_in(2) ? 8 : 60));
    const std::string calls = own_.of({"write", "write", "write", "any", "open", "truncate", "sync", "rename",
                                       "read", "close", "lock", "remove"});
    settings.emplace_back(
        "store_faults",
        calls + ":" + at + own_.of({"", "+", ""}) + "=" +
            (calls == "lock" || calls == "any" ? "EIO" : own_.of({"EIO", "ENOSPC", "short", "EACCES"})));
  }
  return settings;
}

Settings Program::draw_file_settings(const std::string& format) {
  Settings settings;
  const auto set = [&](size_t n, const char* name, std::initializer_list<const char*> values) {
    if (draws_.one_in(n)) settings.emplace_back(name, draws_.of(values));
  };
  if (draws_.one_in(3)) {
    settings.emplace_back("asynchronous", draws_.of({"true", "true", "false"}));
    set(2, "close", {"post", "wait"});
    set(2, "sync", {"post", "wait"});
    set(4, "priority", {"1", "3", "7"});
  }
  set(6, "writers", {"1", "2"});
  set(6, "durable", {"true"});
  set(6, "journal", {"false"});
  if (format.starts_with("cdf")) {
    set(4, "header_free", {"100", "4000"});
    set(4, "data_align", {"4096", "4"});
    set(4, "variable_align", {"512", "1024"});
    set(4, "variable_free", {"100", "1000"});
    set(4, "record_align", {"512", "4096"});
  }
  return settings;
}

void Program::make_system(size_t s) {
  systems_[s].settings = draw_system_settings();
  std::string told;
  for (const auto& [name, value] : systems_[s].settings) told += " " + name + "=" + value;
  log("iosystem_create" + told);
  const api_test::OptionList options(systems_[s].settings);
  must(scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &systems_[s].handle), "iosystem_create");
}

void Program::free_system(size_t s) {
  log("iosystem_free " + std::to_string(s));
  if (!done(scorpio_iosystem_free(systems_[s].handle), "iosystem_free")) fail("iosystem_free");
  systems_[s].handle = nullptr;
  if (draws_.one_in(2)) systems_[s].decompositions.clear();
  systems_[s].decompositions.clear();
  std::erase_if(posted_, [&](const auto& entry) { return entry.second.system == s; });
}

std::shared_ptr<Decomposition> Program::decomposition(size_t system, const Extents& dims) {
  auto& known = systems_[system].decompositions;
  std::vector<std::shared_ptr<Decomposition>> fitting;
  for (const auto& each : known) {
    if (each->layout.dims == dims) fitting.push_back(each);
  }
  if (!fitting.empty() && draws_.pick(3) < fitting.size()) return fitting[draws_.pick(fitting.size())];
  auto made = std::make_shared<Decomposition>();
  made->layout = api_test::random_layout(dims, ranks_, draws_.engine());
  must(made->layout.make(systems_[system].handle, rank_, &made->handle), "decomposition");
  known.push_back(made);
  if (known.size() > 12) known.erase(known.begin() + static_cast<std::ptrdiff_t>(draws_.pick(known.size())));
  return made;
}

void Program::wait_for_posted(std::string name) {
  const auto at = posted_.find(name);
  if (at == posted_.end()) return;
  log("iosystem_wait " + name);
  const std::string path = at->second.path;
  const size_t system = at->second.system;
  if (!done(scorpio_iosystem_wait(systems_[system].handle, draws_.one_in(3) ? nullptr : path.c_str()),
            "iosystem_wait"))
    fail("iosystem_wait");
  if (!posted_.contains(name)) return;
  int done = 0;
  must(scorpio_iosystem_test(systems_[system].handle, path.c_str(), &done), "iosystem_test");
  if (done != 1) fail("not done after the wait");
  posted_.erase(name);
  earlier_.erase(name);
}

}  // namespace scorpio::drawn
