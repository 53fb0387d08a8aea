// Creation and release of groups and files. Collective over the group's communicator unless stated otherwise;
// one thread.
#pragma once

#include "group.h"

namespace scorpio2012 {

int group_init(iogroup_conf_t* conf, iogroup_t* shown);
int group_cleanup(iogroup_t* shown);
int set_max_buffer(int64_t bytes, iogroup_t* shown);
int set_xdmf(int on, iogroup_t* shown);

int open_file(const char* path, iogroup_t* shown, int mode);
// Independent; resources that ranks share are freed when the group next opens a file or is cleaned up.
int close_file(int handle, iogroup_t* shown);

}  // namespace scorpio2012
