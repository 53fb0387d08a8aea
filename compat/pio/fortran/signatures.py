"""The functions of libpioc that the Fortran modules call. c_functions.fypp makes their interfaces; a test compares them
with the prototypes in pio_api.h."""

# What a letter of the table declares: attributes, and the shape behind the name. An absent argument is a null pointer.
LETTERS = {
    "i": ("integer(c_int), value", ""),
    "l": ("integer(c_int64_t), value", ""),
    "z": ("integer(c_size_t), value", ""),
    "f": ("real(c_float), value", ""),
    "b": ("logical(c_bool), value", ""),
    "J": ("integer(c_int), intent(in), optional", ""),
    "I": ("integer(c_int), intent(inout), optional", ""),
    "L": ("integer(c_int64_t), intent(inout), optional", ""),
    "F": ("real(c_float), intent(inout), optional", ""),
    "B": ("logical(c_bool), intent(inout), optional", ""),
    "P": ("type(c_ptr), intent(inout)", ""),
    "R": ("type(pio_rearr_opt_t), intent(in), optional", ""),
    "x": ("type(*), intent(in), optional", ""),
    "X": ("type(*), intent(inout), optional", ""),
    "K": ("integer(c_int), intent(in), optional", "(*)"),
    "A": ("integer(c_int), intent(inout), optional", "(*)"),
    "M": ("integer(c_int64_t), intent(in), optional", "(*)"),
    "N": ("integer(c_int64_t), intent(inout), optional", "(*)"),
    "G": ("integer(c_long), intent(in), optional", "(*)"),
    "s": ("character(kind=c_char), intent(in), optional", "(*)"),
    "S": ("character(kind=c_char), intent(inout), optional", "(*)"),
    "v": ("type(*), intent(in), optional", "(*)"),
    "V": ("type(*), intent(inout), optional", "(*)"),
}

# A function a line: its name without the beginning, and name:letter of each argument.
TABLE = """
strerror pioerr:i errmsg:S errmsg_sz:z
set_log_level level:i
get_version major:I minor:I patch:I vstr:S vstr_len:i
get_version_string vstr:S len:i
get_version_hash vstr:S len:i
iotype_available iotype:i
set_blocksize newblocksize:i
Init_Intracomm_from_F90 f90_comp_comm:i num_iotasks:i stride:i base:i rearr:i rearr_opts:R iosysidp:I
Init_Intercomm_from_F90 component_count:i f90_peer_comm:i f90_comp_comms:K f90_io_comm:i rearranger:i iosysidps:A
init_async_from_F90 f90_world:i num_io_procs:i io_proc_list:K component_count:i num_procs_per_comp:K longest:i \
proc_lists:K f90_io_comm:I f90_comp_comms:A rearranger:i iosysidps:A
get_iosystem ncid:i
finalize iosysid:i
get_numiotasks iosysid:i numiotasks:I
iam_iotask iosysid:i ioproc:B
iotask_rank iosysid:i iorank:I
iosystem_is_active iosysid:i active:B
set_hint iosysid:i hint:s hintval:s
set_rearr_opts iosysid:i comm_type:i fcd:i enable_hs_c2i:b enable_isend_c2i:b max_pend_req_c2i:i \
enable_hs_i2c:b enable_isend_i2c:b max_pend_req_i2c:i
set_iosystem_error_handling iosysid:i method:i old_method:I
Set_File_Error_Handling ncid:i method:i
InitDecomp iosysid:i pio_type:i ndims:i gdimlen:K maplen:i compmap:M ioidp:I rearr:J iostart:M iocount:M
InitDecomp_bc iosysid:i basetype:i ndims:i gdimlen:K start:G count:G ioidp:I
freedecomp iosysid:i ioid:i
get_local_array_size ioid:i
readmap_from_f90 file:s ndims:I gdims:P maplen:L map:P f90_comm:i
writemap_from_f90 file:s ioid:i ndims:i gdims:K maplen:l map:M f90_comm:i
createfile iosysid:i ncidp:I iotype:J fname:s mode:i
openfile iosysid:i ncidp:I iotype:I fname:s mode:i
closefile ncid:i
deletefile iosysid:i filename:s
sync ncid:i
File_is_Open ncid:i
redef ncid:i
enddef ncid:i
set_fill ncid:i fillmode:i old_modep:I
setframe ncid:i varid:i frame:i
advanceframe ncid:i varid:i
write_darray ncid:i varid:i ioid:i arraylen:l array:v fillvalue:x
read_darray ncid:i varid:i ioid:i arraylen:l array:V
inq ncid:i ndimsp:I nvarsp:I ngattsp:I unlimdimidp:I
inq_unlimdims ncid:i nunlimdimsp:I unlimdimidsp:A
inq_type ncid:i xtype:i name:S sizep:L
def_dim ncid:i name:s len:l idp:I
inq_dimid ncid:i name:s idp:I
inq_dimname ncid:i dimid:i name:S
inq_dimlen ncid:i dimid:i lenp:L
def_var ncid:i name:s xtype:i ndims:i dimidsp:K varidp:I
inq_varid ncid:i name:s varidp:I
inq_var ncid:i varid:i name:S namelen:i xtypep:I ndimsp:I dimidsp:A nattsp:I
inq_var_fill ncid:i varid:i no_fill:I fill_valuep:X
def_var_deflate ncid:i varid:i shuffle:i deflate:i deflate_level:i
inq_var_deflate ncid:i varid:i shufflep:I deflatep:I deflate_levelp:I
def_var_chunking ncid:i varid:i storage:i chunksizesp:M
inq_var_chunking ncid:i varid:i storagep:I chunksizesp:N
def_var_endian ncid:i varid:i endian:i
inq_var_endian ncid:i varid:i endianp:I
set_chunk_cache iosysid:i iotype:i size:l nelems:l preemption:f
get_chunk_cache iosysid:i iotype:i sizep:L nelemsp:L preemptionp:F
set_var_chunk_cache ncid:i varid:i size:l nelems:l preemption:f
get_var_chunk_cache ncid:i varid:i sizep:L nelemsp:L preemptionp:F
inq_att ncid:i varid:i name:s xtypep:I lenp:L
inq_attid ncid:i varid:i name:s idp:I
inq_attname ncid:i varid:i attnum:i name:S
copy_att incid:i ivarid:i name:s oncid:i ovarid:i
get_att ncid:i varid:i name:s ip:V
put_att_text ncid:i varid:i name:s len:l op:s
get_att_text ncid:i varid:i name:s ip:S
get_vara ncid:i varid:i start:M count:M buf:V
put_vara ncid:i varid:i start:M count:M op:v
"""
FOR_TYPES = """
put_var_TYPE ncid:i varid:i op:v
get_var_TYPE ncid:i varid:i buf:V
put_var1_TYPE ncid:i varid:i index:M op:v
get_var1_TYPE ncid:i varid:i index:M buf:V
put_vara_TYPE ncid:i varid:i start:M count:M op:v
get_vara_TYPE ncid:i varid:i start:M count:M buf:V
"""
FOR_NUMBERS = """
put_att_TYPE ncid:i varid:i name:s xtype:i len:l op:v
get_att_TYPE ncid:i varid:i name:s ip:V
"""
NUMBERS = ["short", "int", "float", "double"]


def functions():
    """(name, [(argument, letter)...]) of each function."""
    lines = TABLE + "".join(FOR_TYPES.replace("TYPE", name) for name in NUMBERS + ["text"])
    lines += "".join(FOR_NUMBERS.replace("TYPE", name) for name in NUMBERS)
    for words in (line.split() for line in lines.splitlines() if line):
        yield words[0], [tuple(word.split(":")) for word in words[1:]]
