/** @file pio_netcdf_names.h
 * The names of netCDF that programs see through pio.h: those of netcdf.h and pnetcdf.h where the compiler
 * finds these headers, else the same values defined here. */
#ifndef SCORPIO_PIO_NETCDF_NAMES_H
#define SCORPIO_PIO_NETCDF_NAMES_H

#include <mpi.h>

#if defined(__has_include)
#if __has_include(<netcdf.h>)
#include <netcdf.h>
#if __has_include(<netcdf_par.h>)
#include <netcdf_par.h>
#endif
#endif
#if __has_include(<pnetcdf.h>)
#include <pnetcdf.h>
#endif
#endif

#ifndef NC_NAT /* neither header is there */
typedef int nc_type;

#define NC_NAT 0
#define NC_BYTE 1
#define NC_CHAR 2
#define NC_SHORT 3
#define NC_INT 4
#define NC_FLOAT 5
#define NC_DOUBLE 6
#define NC_UBYTE 7
#define NC_USHORT 8
#define NC_UINT 9
#define NC_INT64 10
#define NC_UINT64 11
#define NC_STRING 12
#define NC_LONG NC_INT

#define NC_FILL_BYTE ((signed char)-127)
#define NC_FILL_CHAR ((char)0)
#define NC_FILL_SHORT ((short)-32767)
#define NC_FILL_INT (-2147483647)
#define NC_FILL_FLOAT (9.9692099683868690e+36f)
#define NC_FILL_DOUBLE (9.9692099683868690e+36)
#define NC_FILL_UBYTE (255)
#define NC_FILL_USHORT (65535)
#define NC_FILL_UINT (4294967295U)
#define NC_FILL_INT64 ((long long)-9223372036854775806LL)
#define NC_FILL_UINT64 ((unsigned long long)18446744073709551614ULL)

#define NC_NOWRITE 0
#define NC_WRITE 1
#define NC_CLOBBER 0
#define NC_NOCLOBBER 4
#define NC_FILL 0
#define NC_NOFILL 256
#define NC_64BIT_OFFSET 512
#define NC_64BIT_DATA 32
#define NC_UNLIMITED 0
#define NC_CLASSIC_MODEL 256
#define NC_NETCDF4 4096
#define NC_MPIIO 8192
#define NC_SHARE 2048
#define NC_GLOBAL (-1)

#define NC_MAX_NAME 256
#define NC_MAX_DIMS 1024
#define NC_MAX_VARS 8192
#define NC_MAX_ATTRS 8192
#define NC_MAX_VAR_DIMS 1024

#define NC_FORMAT_CLASSIC 1
#define NC_FORMAT_64BIT_OFFSET 2
#define NC_FORMAT_NETCDF4 3
#define NC_FORMAT_NETCDF4_CLASSIC 4
#define NC_FORMAT_64BIT_DATA 5
#define NC_FORMAT_CDF5 5

#define NC_NOERR 0
#define NC_EBADID (-33)
#define NC_ENFILE (-34)
#define NC_EEXIST (-35)
#define NC_EINVAL (-36)
#define NC_EPERM (-37)
#define NC_ENOTINDEFINE (-38)
#define NC_EINDEFINE (-39)
#define NC_EINVALCOORDS (-40)
#define NC_EMAXDIMS (-41)
#define NC_ENAMEINUSE (-42)
#define NC_ENOTATT (-43)
#define NC_EMAXATTS (-44)
#define NC_EBADTYPE (-45)
#define NC_EBADDIM (-46)
#define NC_EUNLIMPOS (-47)
#define NC_EMAXVARS (-48)
#define NC_ENOTVAR (-49)
#define NC_EGLOBAL (-50)
#define NC_ENOTNC (-51)
#define NC_ESTS (-52)
#define NC_EMAXNAME (-53)
#define NC_EUNLIMIT (-54)
#define NC_ENORECVARS (-55)
#define NC_ECHAR (-56)
#define NC_EEDGE (-57)
#define NC_ESTRIDE (-58)
#define NC_EBADNAME (-59)
#define NC_ERANGE (-60)
#define NC_ENOMEM (-61)
#define NC_EVARSIZE (-62)
#define NC_EDIMSIZE (-63)
#define NC_ETRUNC (-64)
#define NC_EAXISTYPE (-65)
#define NC_EDAP (-66)
#define NC_ECURL (-67)
#define NC_EIO (-68)
#define NC_ENODATA (-69)
#define NC_EDAPSVC (-70)
#define NC_EDAS (-71)
#define NC_EDDS (-72)
#define NC_EDATADDS (-73)
#define NC_EDAPURL (-74)
#define NC_EDAPCONSTRAINT (-75)
#define NC_ETRANSLATION (-76)
#define NC_EHDFERR (-101)
#define NC_ECANTREAD (-102)
#define NC_ECANTWRITE (-103)
#define NC_ECANTCREATE (-104)
#define NC_EFILEMETA (-105)
#define NC_EDIMMETA (-106)
#define NC_EATTMETA (-107)
#define NC_EVARMETA (-108)
#define NC_ENOCOMPOUND (-109)
#define NC_EATTEXISTS (-110)
#define NC_ENOTNC4 (-111)
#define NC_ESTRICTNC3 (-112)
#define NC_ENOTNC3 (-113)
#define NC_ENOPAR (-114)
#define NC_EPARINIT (-115)
#define NC_EBADGRPID (-116)
#define NC_EBADTYPID (-117)
#define NC_ETYPDEFINED (-118)
#define NC_EBADFIELD (-119)
#define NC_EBADCLASS (-120)
#define NC_EMAPTYPE (-121)
#define NC_ELATEFILL (-122)
#define NC_ELATEDEF (-123)
#define NC_EDIMSCALE (-124)
#define NC_ENOGRP (-125)
#define NC_ESTORAGE (-126)
#define NC_EBADCHUNK (-127)
#define NC_ENOTBUILT (-128)
#define NC_EDISKLESS (-129)
#endif

/* What the one header lacks where only the other one is there, or an older one. */
#ifndef NC_CHUNKED
#define NC_CHUNKED 0
#endif
#ifndef NC_CONTIGUOUS
#define NC_CONTIGUOUS 1
#endif
#ifndef NC_COMPACT
#define NC_COMPACT 2
#endif
#ifndef NC_NOSHUFFLE
#define NC_NOSHUFFLE 0
#endif
#ifndef NC_SHUFFLE
#define NC_SHUFFLE 1
#endif
#ifndef NC_ENDIAN_NATIVE
#define NC_ENDIAN_NATIVE 0
#endif
#ifndef NC_ENDIAN_LITTLE
#define NC_ENDIAN_LITTLE 1
#endif
#ifndef NC_ENDIAN_BIG
#define NC_ENDIAN_BIG 2
#endif
#ifndef NC_INDEPENDENT
#define NC_INDEPENDENT 0
#endif
#ifndef NC_COLLECTIVE
#define NC_COLLECTIVE 1
#endif
#ifndef NC_64BIT_DATA
#define NC_64BIT_DATA 32
#endif
#ifndef NC_REQ_NULL
#define NC_REQ_NULL (-1)
#endif

#endif
