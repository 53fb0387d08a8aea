/* A library of another project that has functions of the names PIOc_*, as ESMF has: it is linked into the
 * program, before ours, and its functions must not be called. */
#include <stdio.h>
#include <stdlib.h>

#define FOREIGN(name)                                                       \
  int PIOc_##name(void);                                                    \
  int PIOc_##name(void) {                                                   \
    fprintf(stderr, "PIOc_" #name " of another library has been called\n"); \
    abort();                                                                \
  }

FOREIGN(Init_Intracomm)
FOREIGN(Init_Intracomm_from_F90)
FOREIGN(InitDecomp)
FOREIGN(init_decomp)
FOREIGN(finalize)
FOREIGN(createfile)
FOREIGN(openfile)
FOREIGN(openfile_retry)
FOREIGN(closefile)
FOREIGN(sync)
FOREIGN(enddef)
FOREIGN(redef)
FOREIGN(def_dim)
FOREIGN(def_var)
FOREIGN(inq)
FOREIGN(inq_dimid)
FOREIGN(inq_dimlen)
FOREIGN(inq_var)
FOREIGN(inq_varid)
FOREIGN(inq_att)
FOREIGN(inq_attlen)
FOREIGN(put_att_text)
FOREIGN(put_att_int)
FOREIGN(get_att_text)
FOREIGN(put_var_int)
FOREIGN(get_var_int)
FOREIGN(put_var)
FOREIGN(put_vara)
FOREIGN(put_vara_text)
FOREIGN(get_vara)
FOREIGN(put_var1_double)
FOREIGN(setframe)
FOREIGN(write_darray)
FOREIGN(write_darray_multi)
FOREIGN(read_darray)
FOREIGN(freedecomp)
FOREIGN(set_iosystem_error_handling)
FOREIGN(get_iosystem)
FOREIGN(strerror)
