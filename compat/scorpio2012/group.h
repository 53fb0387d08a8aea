// The object of an application's iogroup_t: communicators, open files, settings. Collective where stated; one
// thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assembly.h"
#include "open_file.h"
#include "scorpio_util.h"

namespace scorpio2012 {

class Group {
 public:
  // Collective. Fills `shown`. NULL if MPI fails.
  static std::unique_ptr<Group> create(Assembly& assembly, const iogroup_conf_t& conf, iogroup_t& shown);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Collective: closes its files and frees its communicators; clears `shown`.
  int close(iogroup_t& shown);

  Assembly& assembly() { return assembly_; }
  int number() const { return number_; }
  MPI_Comm comm() const { return communicators_.global; }

  // ---- settings ----
  int64_t max_buffer_bytes = 0;  // 0: the value of the environment, or the default
  bool xdmf = false;
  // Collective, when no file is open; the next file gets an I/O system with the present settings.
  void drop_io_system() { assembly_.release(system_); }

  // ---- files ----
  // Collective. Returns the handle, which a failure uses up too, or -1.
  int open(const char* path, int mode, iogroup_t& shown);
  // Uses up a handle without a file.
  void consume_handle(iogroup_t& shown);
  // NULL if it is not open on this rank.
  OpenFile* file(int handle) const;
  // The same of a file that is used, and not yet released by all ranks.
  OpenFile* any_file(int handle) const;
  bool has_open_files() const;
  const std::vector<std::unique_ptr<OpenFile>>& files() const { return files_; }
  // Collective: frees the file; its handle is not used again.
  int forget(int handle);
  void show_files(iogroup_t& shown);
  IoSystem& io_system() { return *system_; }

 private:
  struct Communicators {
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm global = MPI_COMM_NULL;
    MPI_Comm roots = MPI_COMM_NULL;
  };

  Group(Assembly& assembly, int size) : assembly_(assembly), size_(size) {}
  bool split(MPI_Comm from);
  void show(iogroup_t& shown) const;
  bool is_root() const { return communicators_.roots != MPI_COMM_NULL; }
  std::string buffer_bytes() const;
  bool have_io_system();
  iofile_t* new_client_file(const char* path);

  Assembly& assembly_;
  int number_ = 0;
  int size_;  // number of ranks of an I/O group
  Communicators communicators_;
  std::shared_ptr<IoSystem> system_;
  std::vector<std::unique_ptr<OpenFile>> files_;  // by handle
  std::vector<iofile_t*> clients_;                // by handle; allocated for applications with calloc
};

}  // namespace scorpio2012
