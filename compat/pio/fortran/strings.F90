! Variables of text by integer ids, with starts and counts of Fortran. A text in a file ends with NUL or with
! its dimension.
module scorpio_piof_strings
  use, intrinsic :: iso_c_binding
  use scorpio_piof_definitions, only: c_id, unlimited_dimension, variable_dimensions
  use scorpio_piof_numbers, only: c_part, is_io_root
  use scorpio_piof_text, only: joined, to_fortran, tell, number
  use scorpio_piof_transfer
  use scorpio_piof_types, only: pio_char, pio_max_var_dims, pio_noerr
  implicit none
  private
  public :: put_strings, get_strings, put_string_part, get_string_part, put_string_at, get_string_at

contains

  ! Each text is a row of the first dimension; the rest of the row, and rows without a text, become NUL. This is told on the I/O
  ! root, whose texts are written.
  integer(c_int) function put_strings(ncid, varid, many, texts) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int64_t), intent(in) :: many
    character(*), intent(in) :: texts(many)
    integer(c_int64_t) :: extents(pio_max_var_dims), row, rows
    integer(c_int) :: n
    logical :: tells
    ierr = shape_of(ncid, c_id(varid), n, extents)
    tells = .false.
    if (ierr == pio_noerr) tells = is_io_root(ncid)
    call rows_of(extents(1:n), row, rows)
    if (are_pieces(len(texts, kind=c_int64_t), many, row, rows)) then
      ierr = put_var(pio_char, ncid, c_id(varid), joined(texts))
    else
      ierr = put_var(pio_char, ncid, c_id(varid), in_rows(texts, row, rows, tells))
    end if
  end function

  integer(c_int) function get_strings(ncid, varid, many, texts) result(ierr)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int64_t), intent(in) :: many
    character(*), intent(inout) :: texts(many)
    integer(c_int64_t) :: extents(pio_max_var_dims), row, rows
    character(kind=c_char), allocatable :: characters(:)
    integer(c_int) :: n
    ierr = shape_of(ncid, c_id(varid), n, extents)
    call rows_of(extents(1:n), row, rows)
    if (ierr == pio_noerr .and. size(texts) < rows) then
      call tell('there are '//number(many)//' texts, the variable has '//number(rows))
      ierr = get_var(pio_char, ncid, c_id(varid))
    else
      allocate (characters(row*rows), source=c_null_char)
      ierr = get_var(pio_char, ncid, c_id(varid), characters)
      if (ierr == pio_noerr) call unpack_rows(characters, row, rows, texts)
    end if
  end function

  ! All characters of all texts, blanks included, one text after the other.
  integer(c_int) function put_string_part(ncid, varid, start, count, many, texts) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, start(:), count(:)
    integer(c_int64_t), intent(in) :: many
    character(*), intent(in) :: texts(many)
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims), wanted
    integer(c_int64_t) :: held
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, c_id(varid), n, c_start)
    call c_part(n, start, count, c_start, c_count, enough)
    wanted = product(c_count(1:n))
    held = many*len(texts)
    if (.not. enough) then
      ierr = put_vara(pio_char, ncid, c_id(varid), values=joined(texts))
    else if (held < wanted) then
      call tell_few(held, wanted)
      ierr = put_vara(pio_char, ncid, c_id(varid), c_start, c_count)
    else
      ierr = put_vara(pio_char, ncid, c_id(varid), c_start, c_count, joined(texts))
    end if
  end function

  ! Each row of the part becomes a text. If there are fewer texts than rows, the characters fill them one
  ! after the other.
  integer(c_int) function get_string_part(ncid, varid, start, count, many, texts) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, start(:), count(:)
    integer(c_int64_t), intent(in) :: many
    character(*), intent(inout) :: texts(many)
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims), row, rows
    character(kind=c_char), allocatable :: characters(:)
    integer(c_int) :: n
    logical :: enough
    ierr = shape_of(ncid, c_id(varid), n, c_start)
    call c_part(n, start, count, c_start, c_count, enough)
    call rows_of(c_count(n:1:-1), row, rows)
    if (.not. enough) then
      ierr = get_vara(pio_char, ncid, c_id(varid))
    else if (size(texts) < rows .and. many*len(texts) < row*rows) then
      call tell_few(many*len(texts), row*rows)
      ierr = get_vara(pio_char, ncid, c_id(varid), c_start, c_count)
    else
      allocate (characters(max(row*rows, 0_c_int64_t)), source=c_null_char)
      ierr = get_vara(pio_char, ncid, c_id(varid), c_start, c_count, characters)
      if (ierr == pio_noerr) call unpack_rows(characters, row, rows, texts)
    end if
  end function

  ! Writes from this position on as many characters as the text has and the row holds, with NULs instead of
  ! trailing blanks.
  integer(c_int) function put_string_at(ncid, varid, start, text) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, start(:)
    character(*), intent(in) :: text
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    character(kind=c_char), allocatable :: characters(:)
    logical :: enough
    integer :: i
    ierr = row_at(ncid, varid, start, len(text, kind=c_int64_t), c_start, c_count, enough)
    if (enough) call let_grow(ncid, varid, len(text, kind=c_int64_t), c_count)
    allocate (characters(len(text) + 1), source=c_null_char)
    do i = 1, len_trim(text)
      characters(i) = text(i:i)
    end do
    if (enough) then
      ierr = put_vara(pio_char, ncid, c_id(varid), c_start, c_count, characters)
    else
      ierr = put_vara(pio_char, ncid, c_id(varid), values=characters)
    end if
  end function

  integer(c_int) function get_string_at(ncid, varid, start, text) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, start(:)
    character(*), intent(inout) :: text
    integer(c_int64_t) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    character(kind=c_char), allocatable :: characters(:)
    logical :: enough
    ierr = row_at(ncid, varid, start, len(text, kind=c_int64_t), c_start, c_count, enough)
    allocate (characters(len(text) + 1), source=c_null_char)
    if (enough) then
      ierr = get_vara(pio_char, ncid, c_id(varid), c_start, c_count, characters)
      if (ierr == pio_noerr) call to_fortran(characters, text)
    else
      ierr = get_vara(pio_char, ncid, c_id(varid), values=characters)
    end if
  end function

  ! ---- rows ----

  ! The first dimension counts the characters of a text.
  pure subroutine rows_of(extents, row, rows)
    integer(c_int64_t), intent(in) :: extents(:)
    integer(c_int64_t), intent(out) :: row, rows
    row = 1
    if (size(extents) > 0) row = extents(1)
    rows = product(extents(2:))
  end subroutine

  ! Whether texts are pieces of the rows, one after the other, as single characters are: there are more of them than rows, they
  ! are shorter than a row, and fill all rows. Of single characters there can be more.
  pure logical function are_pieces(length, many, row, rows)
    integer(c_int64_t), intent(in) :: length, many, row, rows
    are_pieces = many > rows .and. length < row .and. &
                 (length*many == row*rows .or. (length == 1 .and. many > row*rows))
  end function

  function in_rows(texts, row, rows, tells) result(characters)
    character(*), intent(in) :: texts(:)
    integer(c_int64_t), intent(in) :: row, rows
    logical, intent(in) :: tells
    character(kind=c_char), allocatable :: characters(:)
    integer(c_int64_t) :: i, j, many
    many = size(texts, kind=c_int64_t)
    allocate (characters(row*rows), source=c_null_char)
    do i = 1, min(rows, many)
      do j = 1, min(row, len(texts, kind=c_int64_t))
        characters((i - 1)*row + j) = texts(i) (j:j)
      end do
      if (tells .and. len_trim(texts(i)) > row) call tell_cut(texts(i), row)
    end do
    if (tells .and. many < rows) call tell('there are '//number(many)//' texts, the variable has '//number(rows))
  end function

  subroutine unpack_rows(characters, row, rows, texts)
    character(kind=c_char), intent(in) :: characters(:)
    integer(c_int64_t), intent(in) :: row, rows
    character(*), intent(inout) :: texts(:)
    integer(c_int64_t) :: i, width, n, many
    width = row
    n = rows
    many = size(texts, kind=c_int64_t)
    if (many < rows .or. are_pieces(len(texts, kind=c_int64_t), many, row, rows)) then
      width = len(texts)
      n = min(many, (row*rows + width - 1)/max(width, 1_c_int64_t))
    end if
    do i = 1, n
      call to_fortran(characters((i - 1)*width + 1:min(i*width, size(characters, kind=c_int64_t))), texts(i))
      if (width > len(texts)) call tell_if_cut(characters((i - 1)*width + 1:i*width), texts(i))
    end do
  end subroutine

  ! The part of one row from `start` on, as far as the row goes.
  integer(c_int) function row_at(ncid, varid, start, length, c_start, c_count, enough) result(ierr)
    integer(c_int), intent(in) :: ncid, varid, start(:)
    integer(c_int64_t), intent(in) :: length
    integer(c_int64_t), intent(out) :: c_start(pio_max_var_dims), c_count(pio_max_var_dims)
    logical, intent(out) :: enough
    integer(c_int64_t) :: extents(pio_max_var_dims)
    integer(c_int) :: n
    ierr = shape_of(ncid, c_id(varid), n, extents)
    call c_part(n, start, start, c_start, c_count, enough)
    c_count(1:n) = 1
    if (n < 1 .or. .not. enough) return
    c_count(n) = max(min(extents(1) - c_start(n), length), min(length, 1_c_int64_t))
  end function

  ! A put makes a row longer where its dimension is unlimited.
  subroutine let_grow(ncid, varid, length, c_count)
    integer(c_int), intent(in) :: ncid, varid
    integer(c_int64_t), intent(in) :: length
    integer(c_int64_t), intent(inout) :: c_count(pio_max_var_dims)
    integer(c_int64_t) :: extents(pio_max_var_dims)
    integer(c_int) :: n, dimids(pio_max_var_dims)
    if (shape_of(ncid, c_id(varid), n, extents) /= pio_noerr .or. n < 1) return
    if (variable_dimensions(ncid, varid, dimids) /= pio_noerr) return
    if (unlimited_dimension(ncid, dimids(1))) c_count(n) = length
  end subroutine

  ! ---- messages ----

  subroutine tell_few(held, wanted)
    integer(c_int64_t), intent(in) :: held, wanted
    call tell('the texts have '//number(held)//' characters, the part of the variable has '//number(wanted))
  end subroutine

  subroutine tell_cut(text, row)
    character(*), intent(in) :: text
    integer(c_int64_t), intent(in) :: row
    call tell('the text "'//trim(text)//'" is cut to the '//number(row)//' characters of the variable')
  end subroutine

  subroutine tell_if_cut(characters, text)
    character(kind=c_char), intent(in) :: characters(:)
    character(*), intent(in) :: text
    integer :: i
    do i = 1, size(characters)
      if (characters(i) == c_null_char) return
      if (i > len(text) .and. characters(i) /= ' ') exit
    end do
    if (i <= size(characters)) call tell('the text "'//text//'" is longer in the file')
  end subroutine
end module scorpio_piof_strings
