! Dimensions and variables by integer ids. Ids of Fortran are those of C plus 1, and lists of dimensions are
! in the reverse order. If a function fails, the ids that it returns are -1.
module scorpio_piof_definitions
  use, intrinsic :: iso_c_binding
  use scorpio_piof_c
  use scorpio_piof_text, only: as_c, to_fortran, tell, number
  use scorpio_piof_types, only: pio_chunked, pio_max_name, pio_max_var_dims, pio_noerr, pio_einval, pio_einternal, pio_erange, &
    pio_byte, pio_short, pio_int, pio_real, pio_double, pio_ubyte, pio_ushort, pio_uint, pio_int64, pio_uint64
  implicit none
  private

  ! A fill value in the type in memory.
  interface fill_in
    module procedure fill_in_short, fill_in_int, fill_in_real, fill_in_double
  end interface
  public :: from_c_id, c_id, internal_if, narrow, inquire_counts, unlimited_dimension
  public :: define_dimension, find_dimension, dimension_name, dimension_length, dimension_extent, inquire_dim
  public :: define_variable, find_variable, inquire_var, variable_name, variable_dimensions
  public :: define_chunking, inquire_chunking, inquire_fill, fill_in

contains

  pure integer(c_int) function from_c_id(code, id)
    integer(c_int), intent(in) :: code, id
    from_c_id = merge(id + 1, -1, code == pio_noerr .and. id >= 0)
  end function

  ! The id of a variable in C. Of one that is less than 1 libpioc returns PIO_EINTERNAL, on all ranks where they communicate.
  pure integer(c_int) function c_id(varid)
    integer(c_int), intent(in) :: varid
    c_id = merge(varid - 1, -huge(varid), varid >= 1)
  end function

  ! The code of a failed call; PIO_EINTERNAL if these modules have rejected the argument.
  pure integer(c_int) function internal_if(refused, code)
    logical, intent(in) :: refused
    integer(c_int), intent(in) :: code
    internal_if = merge(pio_einternal, code, refused .and. code /= pio_noerr)
  end function

  ! Converts a value of 64 bits to a default integer; returns a code if it does not fit.
  integer(c_int) function narrow(code, value, to) result(ierr)
    integer(c_int), intent(in) :: code
    integer(c_int64_t), intent(in) :: value
    integer(c_int), intent(inout) :: to
    ierr = code
    if (code /= pio_noerr) return
    if (value > huge(to)) then
      call tell('the length '//number(value)//' does not fit into a default integer; pass one of PIO_OFFSET_KIND')
      ierr = pio_erange
    else
      to = int(value, c_int)
    end if
  end function

  ! ---- the file ----

  integer(c_int) function inquire_counts(ncid, ndims, nvars, natts, unlimited) result(ierr)
    integer(c_int), intent(in) :: ncid
    integer(c_int), intent(inout), optional :: ndims, nvars, natts, unlimited
    integer(c_int) :: id
    id = -1
    ierr = c_inq(ncid, ndims, nvars, natts, id)
    if (present(unlimited)) unlimited = from_c_id(ierr, id)
  end function

  logical function unlimited_dimension(ncid, dimid)
    integer(c_int), intent(in) :: ncid, dimid
    integer(c_int) :: ids(pio_max_var_dims), n
    n = 0
    unlimited_dimension = .false.
    if (c_inq_unlimdims(ncid, n) /= pio_noerr .or. n < 1 .or. n > size(ids)) return
    if (c_inq_unlimdims(ncid, n, ids) == pio_noerr) unlimited_dimension = any(ids(1:n) == dimid - 1)
  end function

  ! ---- dimensions ----

  integer(c_int) function define_dimension(ncid, name, length, dimid) result(ierr)
    integer(c_int), intent(in) :: ncid
    character(*), intent(in) :: name
    integer(c_int64_t), intent(in) :: length
    integer(c_int), intent(inout) :: dimid
    integer(c_int) :: id
    id = -1
    ierr = c_def_dim(ncid, as_c(name), length, id)
    dimid = from_c_id(ierr, id)
    ierr = internal_if(name == '', ierr)
  end function

  integer(c_int) function find_dimension(ncid, name, dimid) result(ierr)
    integer(c_int), intent(in) :: ncid
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: dimid
    integer(c_int) :: id
    id = -1
    ierr = c_inq_dimid(ncid, as_c(name), id)
    dimid = from_c_id(ierr, id)
    ierr = internal_if(name == '', ierr)
  end function

  integer(c_int) function dimension_name(ncid, dimid, name) result(ierr)
    integer(c_int), intent(in) :: ncid, dimid
    character(*), intent(inout) :: name
    character(kind=c_char) :: found(pio_max_name + 1)
    ierr = c_inq_dimname(ncid, dimid - 1, found)
    if (ierr == pio_noerr) call to_fortran(found, name)
  end function

  integer(c_int) function dimension_length(ncid, dimid, length) result(ierr)
    integer(c_int), intent(in) :: ncid, dimid
    integer(c_int64_t), intent(inout) :: length
    ierr = c_inq_dimlen(ncid, dimid - 1, length)
  end function

  integer(c_int) function dimension_extent(ncid, dimid, length) result(ierr)
    integer(c_int), intent(in) :: ncid, dimid
    integer(c_int), intent(inout) :: length
    integer(c_int64_t) :: found
    found = 0
    ierr = c_inq_dimlen(ncid, dimid - 1, found)
    ierr = narrow(ierr, found, length)
  end function

  integer(c_int) function inquire_dim(ncid, dimid, name, extent, length) result(ierr)
    integer(c_int), intent(in) :: ncid, dimid
    character(*), intent(inout), optional :: name
    integer(c_int), intent(inout), optional :: extent
    integer(c_int64_t), intent(inout), optional :: length
    ierr = pio_noerr
    if (present(name)) ierr = dimension_name(ncid, dimid, name)
    if (ierr == pio_noerr .and. present(extent)) ierr = dimension_extent(ncid, dimid, extent)
    if (ierr == pio_noerr .and. present(length)) ierr = dimension_length(ncid, dimid, length)
  end function

  ! ---- variables ----

  integer(c_int) function define_variable(ncid, name, xtype, dimids, varid) result(ierr)
    integer(c_int), intent(in) :: ncid, xtype, dimids(:)
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: varid
    integer(c_int) :: id, n
    id = -1
    n = size(dimids)
    ierr = c_def_var(ncid, as_c(name), xtype, n, dimids(n:1:-1) - 1, id)
    varid = from_c_id(ierr, id)
    ierr = internal_if(name == '', ierr)
  end function

  integer(c_int) function find_variable(ncid, name, varid) result(ierr)
    integer(c_int), intent(in) :: ncid
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: varid
    integer(c_int) :: id
    id = -1
    ierr = c_inq_varid(ncid, as_c(name), id)
    varid = from_c_id(ierr, id)
    ierr = internal_if(name == '', ierr)
  end function

  integer(c_int) function inquire_var(ncid, varid, name, xtype, ndims, dimids, natts) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(inout), optional :: name
    integer(c_int), intent(inout), optional :: xtype, ndims, natts, dimids(:)
    ierr = c_inq_var(ncid, varid - 1, namelen=0_c_int, xtypep=xtype, ndimsp=ndims, nattsp=natts)
    if (ierr == pio_noerr .and. present(name)) ierr = variable_name(ncid, varid, name)
    if (ierr == pio_noerr .and. present(dimids)) ierr = variable_dimensions(ncid, varid, dimids)
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function variable_name(ncid, varid, name) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(inout) :: name
    character(kind=c_char) :: found(pio_max_name + 1)
    ierr = c_inq_var(ncid, varid - 1, found, size(found, kind=c_int))
    if (ierr == pio_noerr) call to_fortran(found, name)
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function variable_dimensions(ncid, varid, dimids) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int), intent(inout) :: dimids(:)
    integer(c_int) :: found(pio_max_var_dims), n
    n = 0
    ierr = c_inq_var(ncid, varid - 1, namelen=0_c_int, ndimsp=n, dimidsp=found)
    if (ierr == pio_noerr .and. size(dimids) < n) then
      call tell('an array of '//number(size(dimids, kind=c_int64_t))//' dimension ids, where the variable has '// &
                number(int(n, c_int64_t))//' dimensions')
      ierr = pio_einval
    else if (ierr == pio_noerr) then
      dimids(1:n) = found(n:1:-1) + 1
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  ! ---- chunks ----

  integer(c_int) function define_chunking(ncid, varid, storage, chunksizes) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, storage, chunksizes(:)
    integer(c_int), parameter :: no_form = -1 ! which is refused
    integer(c_int) :: n
    n = 0
    ierr = c_inq_var(ncid, varid - 1, namelen=0_c_int, ndimsp=n)
    if (size(chunksizes) < n .and. storage == pio_chunked) then
      call tell_few_extents(chunksizes, n)
      ierr = c_def_var_chunking(ncid, varid - 1, no_form)
    else if (size(chunksizes) < n) then
      ierr = c_def_var_chunking(ncid, varid - 1, storage)
    else
      ierr = c_def_var_chunking(ncid, varid - 1, storage, int(chunksizes(n:1:-1), c_int64_t))
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function inquire_chunking(ncid, varid, storage, chunksizes) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int), intent(inout) :: storage, chunksizes(:)
    integer(c_int64_t) :: found(pio_max_var_dims)
    integer(c_int) :: n, i
    n = 0
    found = 0
    ierr = c_inq_var(ncid, varid - 1, namelen=0_c_int, ndimsp=n)
    if (ierr == pio_noerr) ierr = c_inq_var_chunking(ncid, varid - 1, storage, found)
    if (ierr == pio_noerr .and. size(chunksizes) < n) then
      call tell_few_extents(chunksizes, n)
      ierr = pio_einval
    end if
    do i = 1, merge(n, 0, ierr == pio_noerr)
      ierr = narrow(ierr, found(n + 1 - i), chunksizes(i))
      if (ierr /= pio_noerr) return
    end do
    ierr = internal_if(varid < 1, ierr)
  end function

  subroutine tell_few_extents(chunksizes, n)
    integer(c_int), intent(in) :: chunksizes(:), n
    call tell('the extents of chunks are '//number(size(chunksizes, kind=c_int64_t))//', the variable has '// &
              number(int(n, c_int64_t))//' dimensions')
  end subroutine

  ! ---- fill values ----

  ! The fill value of a variable of numbers, in the largest type; the C function writes one of the variable's type.
  integer(c_int) function inquire_fill(ncid, varid, no_fill, fill) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int), intent(inout) :: no_fill
    real(c_double), intent(out) :: fill
    integer(c_int64_t) :: stored
    integer(c_int) :: xtype
    fill = 0
    xtype = 0
    ierr = inquire_var(ncid, varid, xtype=xtype)
    if (ierr == pio_noerr .and. .not. any(xtype == [pio_byte, pio_short, pio_int, pio_real, pio_double, pio_ubyte, &
                                                    pio_ushort, pio_uint, pio_int64, pio_uint64])) ierr = pio_einval
    if (ierr == pio_noerr) ierr = c_inq_var_fill(ncid, varid - 1, no_fill, stored)
    if (ierr == pio_noerr) fill = as_double(xtype, stored)
  end function

  ! `stored`: the value at its beginning.
  pure real(c_double) function as_double(xtype, stored)
    integer(c_int), intent(in) :: xtype
    integer(c_int64_t), intent(in) :: stored
    as_double = 0
    select case (xtype)
    case (pio_byte)
      as_double = transfer(stored, 0_c_int8_t)
    case (pio_short)
      as_double = transfer(stored, 0_c_int16_t)
    case (pio_int)
      as_double = transfer(stored, 0_c_int32_t)
    case (pio_int64)
      as_double = real(stored, c_double)
    case (pio_real)
      as_double = transfer(stored, 0._c_float)
    case (pio_double)
      as_double = transfer(stored, 0._c_double)
    case (pio_ubyte)
      as_double = unsigned(real(transfer(stored, 0_c_int8_t), c_double), 8)
    case (pio_ushort)
      as_double = unsigned(real(transfer(stored, 0_c_int16_t), c_double), 16)
    case (pio_uint)
      as_double = unsigned(real(transfer(stored, 0_c_int32_t), c_double), 32)
    case (pio_uint64)
      as_double = unsigned(real(stored, c_double), 64)
    end select
  end function

  pure real(c_double) function unsigned(value, bits)
    real(c_double), intent(in) :: value
    integer, intent(in) :: bits
    unsigned = value
    if (value < 0) unsigned = value + 2._c_double**bits
  end function

  integer(c_int) function fill_in_short(code, fill, to) result(ierr)
    integer(c_int), intent(in) :: code
    real(c_double), intent(in) :: fill
    integer(c_short), intent(inout) :: to
    ierr = code
    if (code == pio_noerr .and. .not. fits(fill, real(huge(to), c_double))) ierr = pio_erange
    if (ierr == pio_noerr) to = int(fill, c_short)
  end function

  integer(c_int) function fill_in_int(code, fill, to) result(ierr)
    integer(c_int), intent(in) :: code
    real(c_double), intent(in) :: fill
    integer(c_int), intent(inout) :: to
    ierr = code
    if (code == pio_noerr .and. .not. fits(fill, real(huge(to), c_double))) ierr = pio_erange
    if (ierr == pio_noerr) to = int(fill, c_int)
  end function

  ! Whether an integer type with this largest number holds the value: its smallest one is -largest - 1. False for a NaN.
  pure logical function fits(value, largest)
    real(c_double), intent(in) :: value, largest
    fits = value >= -largest - 1 .and. value <= largest
  end function

  integer(c_int) function fill_in_real(code, fill, to) result(ierr)
    integer(c_int), intent(in) :: code
    real(c_double), intent(in) :: fill
    real(c_float), intent(inout) :: to
    ierr = code
    if (code == pio_noerr .and. abs(fill) > huge(to) .and. abs(fill) <= huge(fill)) ierr = pio_erange
    if (ierr == pio_noerr) to = real(fill, c_float)
  end function

  integer(c_int) function fill_in_double(code, fill, to) result(ierr)
    integer(c_int), intent(in) :: code
    real(c_double), intent(in) :: fill
    real(c_double), intent(inout) :: to
    ierr = code
    if (ierr == pio_noerr) to = fill
  end function
end module scorpio_piof_definitions
