! Copies variables from one file to another.
module scorpio_piof_copies
  use, intrinsic :: iso_c_binding
  use scorpio_piof_c
  use scorpio_piof_definitions, only: c_id
  use scorpio_piof_transfer, only: shape_of
  use scorpio_piof_types
  implicit none
  private
  public :: copy_pio_var

  interface copy_pio_var
    module procedure copy_by_size, copy_by_shape
  end interface

contains

  ! The size of the variable is inquired, so that the arguments for it are not used.
  subroutine copy_by_size(ifile, ofile, ivdesc, ovdesc, varsz, strlength, ierr)
    type(file_desc_t), intent(in) :: ifile, ofile
    type(var_desc_t), intent(in) :: ivdesc, ovdesc
    integer(c_int), intent(in) :: varsz
    integer(c_int), intent(in), optional :: strlength
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: code
    code = copied(ifile%fh, c_id(ivdesc%varid), ofile%fh, c_id(ovdesc%varid))
    if (present(ierr)) ierr = code
  end subroutine

  subroutine copy_by_shape(ifile, ofile, ivdesc, ovdesc, varsz, ierr)
    type(file_desc_t), intent(in) :: ifile, ofile
    type(var_desc_t), intent(in) :: ivdesc, ovdesc
    integer(c_int), intent(in) :: varsz(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: code
    code = copied(ifile%fh, c_id(ivdesc%varid), ofile%fh, c_id(ovdesc%varid))
    if (present(ierr)) ierr = code
  end subroutine

  ! Copies all records of the input file, in the type of the output variable, which is the same. Also a rank that cannot take
  ! part calls the functions of C, without what they need: all ranks get in common, and learn of a put that failed.
  integer(c_int) function copied(from, from_varid, to, to_varid) result(ierr)
    integer(c_int), intent(in) :: from, from_varid, to, to_varid
    integer(c_int64_t) :: start(pio_max_var_dims), extents(pio_max_var_dims), bytes
    integer(c_int8_t), allocatable :: values(:)
    character(kind=c_char) :: name(pio_max_name + 1)
    integer(c_int) :: n, xtype, to_type
    type(c_ptr), allocatable :: strings(:)
    integer :: i
    ierr = shape_of(from, from_varid, n, extents)
    if (ierr == pio_noerr) ierr = c_inq_var(from, from_varid, namelen=0_c_int, xtypep=xtype)
    if (ierr == pio_noerr) ierr = c_inq_type(from, xtype, name, bytes)
    if (ierr /= pio_noerr) then
      ierr = c_get_vara(from, from_varid)
      return
    end if
    start = 0
    extents(1:n) = extents(n:1:-1)
    allocate (values(bytes*product(extents(1:n))))
    ierr = c_get_vara(from, from_varid, start, extents, values)
    if (ierr /= pio_noerr) return
    ! Strings were allocated for the caller.
    if (xtype == pio_string) strings = transfer(values, strings, size(values)/int(c_sizeof(c_null_ptr)))
    to_type = xtype
    ierr = c_inq_var(to, to_varid, namelen=0_c_int, xtypep=to_type)
    if (to_type == xtype) then
      ierr = c_put_vara(to, to_varid, start, extents, values)
    else
      ierr = c_put_vara(to, to_varid)
      ierr = pio_ebadtype
    end if
    if (.not. allocated(strings)) return
    do i = 1, size(strings)
      call c_free(strings(i))
    end do
  end function
end module scorpio_piof_copies
