! Numbers of variables by integer ids, starts and counts of Fortran.
module scorpio_piof_numbers
  use, intrinsic :: iso_c_binding
  use scorpio_piof_c, only: c_memcpy
  use scorpio_piof_definitions, only: internal_if
  use scorpio_piof_text, only: tell, number
  use scorpio_piof_transfer
  use scorpio_piof_types, only: pio_max_var_dims, pio_noerr
  implicit none
  private
  public :: put_whole, get_whole, put_part, get_part, put_element, get_element, c_part

contains

  ! Start and count as C takes them, of n dimensions. Lists may be longer than the variable has dimensions; `enough`: not shorter.
  subroutine c_part(n, start, count, c_start, c_count, enough)
    integer(c_int), intent(in) :: n, start(:), count(:)
    integer(c_int64_t), intent(out) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    logical, intent(out) :: enough
    c_start(1:n) = 0
    c_count(1:n) = 0
    enough = size(start) >= n .and. size(count) >= n
    if (enough) then
      c_start(1:n) = start(n:1:-1) - 1
      c_count(1:n) = count(n:1:-1)
    else
      call tell('start and count have '//number(min(size(start, kind=c_int64_t), size(count, kind=c_int64_t)))// &
                ' elements, the variable has '//number(int(n, c_int64_t))//' dimensions')
    end if
  end subroutine

  subroutine tell_short(held, wanted)
    integer(c_int64_t), intent(in) :: held, wanted
    call tell('the array has '//number(held)//' elements, the part of the variable has '//number(wanted))
  end subroutine

  ! ---- whole variables ----

  ! `held` elements in memory. Where the variable has more, the rest becomes 0.
  integer(c_int) function put_whole(memory_type, ncid, varid, held, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid
    integer(c_int64_t), intent(in) :: held
    type(*), intent(in) :: values(*)
    integer(c_int64_t) :: extents(pio_max_var_dims), wanted
    integer(c_int8_t), allocatable :: filled(:)
    type(c_ptr) :: unused
    integer(c_int) :: n
    ierr = shape_of(ncid, varid - 1, n, extents)
    wanted = product(extents(1:n))
    if (ierr == pio_noerr .and. held < wanted) then
      call tell_short(held, wanted)
      allocate (filled(wanted*bytes_of(memory_type)), source=0_c_int8_t)
      unused = c_memcpy(filled, values, held*bytes_of(memory_type))
      ierr = put_var(memory_type, ncid, varid - 1, filled)
    else
      ierr = put_var(memory_type, ncid, varid - 1, values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function get_whole(memory_type, ncid, varid, held, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid
    integer(c_int64_t), intent(in) :: held
    type(*), intent(inout) :: values(*)
    integer(c_int64_t) :: extents(pio_max_var_dims)
    integer(c_int) :: n
    ierr = shape_of(ncid, varid - 1, n, extents)
    if (ierr == pio_noerr .and. held < product(extents(1:n))) then
      call tell_short(held, product(extents(1:n)))
      ierr = get_var(memory_type, ncid, varid - 1)
    else
      ierr = get_var(memory_type, ncid, varid - 1, values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  ! ---- parts ----

  integer(c_int) function put_part(memory_type, ncid, varid, start, count, held, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid, start(:), count(:)
    integer(c_int64_t), intent(in) :: held
    type(*), intent(in) :: values(*)
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, varid - 1, n, c_start)
    call c_part(n, start, count, c_start, c_count, enough)
    if (.not. enough) then
      ierr = put_vara(memory_type, ncid, varid - 1, values=values)
    else if (held < product(c_count(1:n))) then
      call tell_short(held, product(c_count(1:n)))
      ierr = put_vara(memory_type, ncid, varid - 1, c_start, c_count)
    else
      ierr = put_vara(memory_type, ncid, varid - 1, c_start, c_count, values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function get_part(memory_type, ncid, varid, start, count, held, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid, start(:), count(:)
    integer(c_int64_t), intent(in) :: held
    type(*), intent(inout) :: values(*)
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, varid - 1, n, c_start)
    call c_part(n, start, count, c_start, c_count, enough)
    if (.not. enough) then
      ierr = get_vara(memory_type, ncid, varid - 1, values=values)
    else if (held < product(c_count(1:n))) then
      call tell_short(held, product(c_count(1:n)))
      ierr = get_vara(memory_type, ncid, varid - 1, c_start, c_count)
    else
      ierr = get_vara(memory_type, ncid, varid - 1, c_start, c_count, values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  ! ---- single elements: `values` has one ----

  integer(c_int) function put_element(memory_type, ncid, varid, index, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid, index(:)
    type(*), intent(in) :: values(*)
    integer(c_int64_t) :: c_index(pio_max_var_dims), c_count(pio_max_var_dims)
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, varid - 1, n, c_index)
    call c_part(n, index, index, c_index, c_count, enough)
    if (enough) then
      ierr = put_var1(memory_type, ncid, varid - 1, c_index, values)
    else
      ierr = put_var1(memory_type, ncid, varid - 1, values=values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function

  integer(c_int) function get_element(memory_type, ncid, varid, index, values) result(ierr)
    integer(c_int), intent(in) :: memory_type, ncid, varid, index(:)
    type(*), intent(inout) :: values(*)
    integer(c_int64_t) :: c_index(pio_max_var_dims), c_count(pio_max_var_dims)
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, varid - 1, n, c_index)
    call c_part(n, index, index, c_index, c_count, enough)
    if (enough) then
      ierr = get_var1(memory_type, ncid, varid - 1, c_index, values)
    else
      ierr = get_var1(memory_type, ncid, varid - 1, values=values)
    end if
    ierr = internal_if(varid < 1, ierr)
  end function
end module scorpio_piof_numbers
