! Kinds, types and constants of the PIO interface. All kinds are those of iso_c_binding, so that compiler
! options for default kinds do not change them. The public modules pio, pio_types and pio_kinds use this
! module.
module scorpio_piof_types
  use, intrinsic :: iso_c_binding
  implicit none
  public

  ! ---- kinds ----
  integer, parameter :: char_len = 360
  integer, parameter :: log_kind = c_int, int_kind = c_int
  integer, parameter :: i2 = selected_int_kind(4), i4 = selected_int_kind(6), i8 = selected_int_kind(13)
  integer, parameter :: r4 = selected_real_kind(6), r8 = selected_real_kind(13)
  integer, parameter :: pio_offset_kind = c_int64_t, pio_offset_f2c_type_kind = c_int64_t

  ! ---- types ----
  type :: iosystem_desc_t
    integer(c_int) :: iosysid = -1
  end type

  type :: file_desc_t
    integer(c_int) :: fh
    type(iosystem_desc_t), pointer :: iosystem => null()
  end type

  type :: var_desc_t
    integer(i4) :: varid
    integer(i4) :: ncid
  end type

  type :: io_desc_t
    integer(i4) :: ioid
  end type

  type :: decompmap_t
    integer(i4) :: start
    integer(i4) :: length
  end type

  type, bind(C) :: pio_rearr_comm_fc_opt_t
    logical(c_bool) :: enable_hs
    logical(c_bool) :: enable_isend
    integer(c_int) :: max_pend_req
  end type

  type, bind(C) :: pio_rearr_opt_t
    integer(c_int) :: comm_type
    integer(c_int) :: fcd
    type(pio_rearr_comm_fc_opt_t) :: comm_fc_opts_comp2io
    type(pio_rearr_comm_fc_opt_t) :: comm_fc_opts_io2comp
  end type

  ! ---- I/O types ----
  integer(c_int), parameter :: pio_iotype_pnetcdf = 1, pio_iotype_netcdf = 2, pio_iotype_netcdf4c = 3, &
    pio_iotype_netcdf4p = 4, pio_iotype_netcdf4p_nczarr = 5, pio_iotype_adios = 6, pio_iotype_adiosc = 7, &
    pio_iotype_hdf5 = 8, pio_iotype_hdf5c = 9
  integer(c_int), parameter :: iotype_pnetcdf = pio_iotype_pnetcdf, iotype_netcdf = pio_iotype_netcdf

  ! ---- rearrangers and their settings ----
  integer(c_int), parameter :: pio_rearr_box = 1, pio_rearr_subset = 2, pio_rearr_any = 3, pio_rearr_contig = 4
  integer(c_int), parameter :: pio_rearr_comm_p2p = 0, pio_rearr_comm_coll = 1
  integer(c_int), parameter :: pio_rearr_comm_fc_2d_enable = 0, pio_rearr_comm_fc_1d_comp2io = 1, &
    pio_rearr_comm_fc_1d_io2comp = 2, pio_rearr_comm_fc_2d_disable = 3
  integer(c_int), parameter :: pio_rearr_comm_unlimited_pend_req = -1

  ! ---- error handlers ----
  integer(c_int), parameter :: pio_internal_error = -51, pio_bcast_error = -52, pio_reduce_error = -53, &
    pio_return_error = -54, pio_default = -1

  ! ---- types of variables and of values in memory ----
  integer(c_int), parameter :: pio_byte = 1, pio_char = 2, pio_short = 3, pio_int = 4, pio_real = 5, pio_double = 6, &
    pio_ubyte = 7, pio_ushort = 8, pio_uint = 9, pio_int64 = 10, pio_uint64 = 11, pio_string = 12

  ! ---- modes and other values ----
  integer(c_int), parameter :: pio_write = 1, pio_nowrite = 0, pio_clobber = 0, pio_noclobber = 4, pio_fmode_clr = 0
  integer(c_int), parameter :: pio_64bit_offset = 512, pio_64bit_data = 32
  integer(c_int), parameter :: pio_fill = 0, pio_nofill = 256
  integer(c_int), parameter :: pio_unlimited = 0, pio_global = 0
  integer(c_int), parameter :: pio_chunked = 0, pio_contiguous = 1, pio_compact = 2
  integer(c_int), parameter :: pio_endian_native = 0, pio_endian_little = 1, pio_endian_big = 2
  integer(c_int), parameter :: pio_max_name = 256, pio_max_dims = 1024, pio_max_vars = 8192, pio_max_attrs = 8192, &
    pio_max_var_dims = 1024, pio_num_ost = 16
  ! Upper bounds of the limits.
  integer(c_int), parameter :: pio_max_dims_ub = 1024, pio_max_vars_ub = 8192, pio_max_attrs_ub = 8192, &
    pio_max_var_dims_ub = 1024
  integer(c_int), parameter :: pio_iosysid_invalid = -1, pio_fh_invalid = -1, pio_ioid_invalid = -1, &
    pio_varid_invalid = -1

  ! ---- values of unwritten elements ----
  character(kind=c_char), parameter :: pio_fill_char = c_null_char
  integer(c_int), parameter :: pio_fill_int = -2147483647
  real(c_float), parameter :: pio_fill_float = 9.9692099683868690e+36_c_float
  real(c_double), parameter :: pio_fill_double = 9.9692099683868690e+36_c_double

  ! ---- codes ----
  integer(c_int), parameter :: pio_noerr = 0, pio_ebadid = -33, pio_einval = -36, pio_ebadtype = -45, pio_ebaddim = -46, &
    pio_enotvar = -49, pio_erange = -60, pio_einternal = -501
end module scorpio_piof_types
