! Dimensions and variables by integer ids. Ids of Fortran are those of C plus 1, and lists of dimensions are
! in the reverse order. If a function fails, the ids that it returns are -1.
module scorpio_piof_definitions
  use, intrinsic :: iso_c_binding
  use scorpio_piof_c
  use scorpio_piof_text, only: as_c, to_fortran, tell, number
  use scorpio_piof_types, only: pio_max_name, pio_max_var_dims, pio_noerr, pio_einval, pio_einternal, pio_erange
  implicit none
  private
  public :: from_c_id, internal_if, narrow, inquire_counts, unlimited_dimension
  public :: define_dimension, find_dimension, dimension_name, dimension_length, dimension_extent, inquire_dim
  public :: define_variable, find_variable, inquire_var, variable_name, variable_dimensions
  public :: define_chunking, inquire_chunking

contains

  pure integer(c_int) function from_c_id(code, id)
    integer(c_int), intent(in) :: code, id
    from_c_id = merge(id + 1, -1, code == pio_noerr .and. id >= 0)
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
    integer(c_int) :: n
    n = 0
    ierr = c_inq_var(ncid, varid - 1, namelen=0_c_int, ndimsp=n)
    if (size(chunksizes) < n) then
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
    if (ierr == pio_noerr .and. size(chunksizes) < n) ierr = pio_einval
    do i = 1, n
      ierr = narrow(ierr, found(n + 1 - i), chunksizes(i))
      if (ierr /= pio_noerr) return
    end do
    ierr = internal_if(varid < 1, ierr)
  end function
end module scorpio_piof_definitions
