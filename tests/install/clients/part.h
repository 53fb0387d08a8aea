/* Each part writes a file and reads it again, in its language; 0 is success. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int part_c(const char* path);
int part_cxx(const char* path);
int part_fortran(const char* path);
#ifdef __cplusplus
}
#endif
