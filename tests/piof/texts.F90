! Variables of characters: which characters are written, what a text is after it was read, what does not fit.
program texts
  use expectations
  use pio
  implicit none
  type(iosystem_desc_t), target :: system
  type(file_desc_t) :: file
  type(var_desc_t) :: row, table, single, names, growing
  integer :: ierr, length, many, time, unused
  call start()
  call pio_init(rank, world, 1, 0, 1, pio_rearr_box, system)
  call pio_seterrorhandling(system, pio_bcast_error)
  call expect_code(pio_createfile(system, file, usual_iotype(pio_iotype_pnetcdf), own_file('texts.nc'), pio_clobber), &
                   0, 'createfile')
  call expect_code(pio_def_dim(file, 'length', 8, length), 0, 'def_dim')
  call expect_code(pio_def_dim(file, 'many', 3, many), 0, 'def_dim')
  call expect_code(pio_def_dim(file, 'time', pio_unlimited, time), 0, 'def_dim')
  call expect_code(pio_def_var(file, 'row', pio_char, [length], row), 0, 'def_var')
  call expect_code(pio_def_var(file, 'table', pio_char, [length, many], table), 0, 'def_var')
  call expect_code(pio_def_var(file, 'single', pio_char, single), 0, 'def_var')
  call expect_code(pio_def_var(file, 'names', pio_char, [length, time], names), 0, 'def_var')
  call expect_code(pio_def_var(file, 'growing', pio_char, [time], growing), 0, 'def_var')
  call expect_code(pio_enddef(file), 0, 'enddef')
  call whole_variables()
  call places()
  call parts()
  call pieces()
  call what_does_not_fit()
  call rows_that_grow()
  call pio_closefile(file)
  call longer_than_the_stack()
  call pio_finalize(system, unused)
  call finish()

contains

  ! The characters of a row in the file.
  function stored(variable, line) result(characters)
    type(var_desc_t), intent(in) :: variable
    integer, intent(in) :: line
    character :: characters(8)
    integer :: i
    call pio_syncfile(file)
    do i = 1, 8
      ierr = pio_get_var(file, variable, [i, line], characters(i))
    end do
    ! A text cannot tell a NUL from a blank: what was read at a NUL is a blank.
  end function

  subroutine whole_variables()
    character(8) :: text
    character(20) :: long
    character(8) :: lines(3)
    character(4) :: short_lines(3)
    character(4) :: wide(2, 3)
    character :: letter
    text = 'abcdefgh'
    call expect_code(pio_put_var(file, row, text), 0, 'put_var of a text')
    call expect_code(pio_put_var(file, row, 'abc  '), 0, 'put_var of a shorter text')
    call pio_syncfile(file)
    long = 'x'
    call expect_code(pio_get_var(file, row, long), 0, 'get_var of a text')
    call expect(long == 'abc', 'a text and blanks')
    call expect(all(stored(row, 1) == ['a', 'b', 'c', ' ', ' ', ' ', ' ', ' ']), 'the characters of a row')
    call expect_code(pio_put_var(file, single, 'q'), 0, 'put_var of a letter')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, single%varid, letter), 0, 'get_var of a letter')
    call expect(letter == 'q', 'a letter')

    lines = ['first   ', 'second  ', 'the  3rd']
    call expect_code(pio_put_var(file, table, lines), 0, 'put_var of texts')
    lines = 'x'
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table%varid, lines), 0, 'get_var of texts')
    call expect(all(lines == ['first   ', 'second  ', 'the  3rd']), 'texts')
    call expect_code(pio_get_var(file, table, short_lines), 0, 'get_var of texts that are cut off')
    call expect(all(short_lines == ['firs', 'seco', 'the ']), 'texts that are cut off')
    short_lines = ['a   ', 'b   ', 'c   ']
    call expect_code(pio_put_var(file, table, short_lines), 0, 'put_var of shorter texts')
    call pio_syncfile(file)
    wide = 'x'
    call expect_code(pio_get_var(file, table, wide(1, :)), 0, 'get_var of texts, not contiguous')
    call expect(all(wide(1, :) == short_lines) .and. all(wide(2, :) == 'x'), 'texts, not contiguous')
    wide(2, :) = ['u', 'v', 'w']
    call expect_code(pio_put_var(file, table, wide(2:2, :)), 0, 'put_var of texts, not contiguous')
    call pio_syncfile(file)
    lines = 'x'
    call expect_code(pio_get_var(file, table, lines), 0, 'get_var of texts')
    call expect(all(lines == ['u', 'v', 'w']), 'texts after longer texts')
    ! Other ranks than the I/O root have one text, which is not written, and print no message.
    lines = ['of the  ', 'I/O root', 'alone   ']
    call expect_code(pio_put_var(file, table, lines(1:merge(3, 1, rank == 0))), 0, 'put_var of texts of one rank')
    call pio_syncfile(file)
    lines = 'x'
    call expect_code(pio_get_var(file, table, lines), 0, 'get_var of texts')
    call expect(all(lines == ['of the  ', 'I/O root', 'alone   ']), 'texts of one rank')
  end subroutine

  ! From a place on: as many characters as the text has, and as the row holds.
  subroutine places()
    character(8) :: text, lines(3)
    character(2) :: piece
    lines = '--------'
    call expect_code(pio_put_var(file, table, lines), 0, 'put_var of texts')
    call expect_code(pio_put_var(file, table, [1, 2], 'wxy'), 0, 'put_var at a place')
    call expect_code(pio_put_var(file, table%varid, [7, 3], 'long'), 0, 'put_var at the end of a row')
    call expect_code(pio_put_var(file, table, [3, 1, 0, 0, 0], 'a '), 0, 'put_var of trailing blanks')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table, lines), 0, 'get_var of texts')
    call expect(lines(2) == 'wxy-----', 'a text at a place')
    call expect(lines(3) == '------lo', 'a text at the end of a row')
    call expect(lines(1) == '--a', 'a NUL instead of a trailing blank')
    call expect(all(stored(table, 1) == ['-', '-', 'a', ' ', '-', '-', '-', '-']), 'what is behind the NUL')
    call expect_code(pio_get_var(file, table, [7, 3], text), 0, 'get_var at a place')
    call expect(text == 'lo', 'a text from a place')
    call expect_code(pio_get_var(file, table%varid, [1, 2], piece), 0, 'get_var of a piece')
    call expect(piece == 'wx', 'a piece of a text')
    call expect_code(pio_put_var(file, names, [1, 2], 'second'), 0, 'put_var in a record')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, names, [1, 2], text), 0, 'get_var in a record')
    call expect(text == 'second', 'a text in a record')
  end subroutine

  ! A put makes them longer, a get does not.
  subroutine rows_that_grow()
    character(80) :: long
    call expect_code(pio_put_var(file, growing, [1], 'a text of twenty-six bytes'), 0, 'put_var of a row that grows')
    call pio_syncfile(file)
    long = 'x'
    call expect_code(pio_get_var(file, growing, [1], long), 0, 'get_var of more than there is')
    call expect(long == 'a text of twenty-six bytes', 'a text along an unlimited dimension')
    call expect_code(pio_get_var(file, growing, [22], long), 0, 'get_var of the end')
    call expect(long == 'bytes', 'the end of a text along an unlimited dimension')
  end subroutine

  subroutine parts()
    character(8) :: lines(2), all_lines(3)
    character(4) :: quarters(4)
    lines = ['one     ', 'two     ']
    call expect_code(pio_put_var(file, table, [1, 2], [8, 2], lines), 0, 'put_var of a part')
    call pio_syncfile(file)
    lines = 'x'
    call expect_code(pio_get_var(file, table%varid, [1, 2, 1, 1, 1], [8, 2, 0, 0, 0], lines), 0, 'get_var of a part')
    call expect(all(lines == ['one', 'two']), 'the texts of a part')
    quarters = ['abcd', 'efgh', 'ijkl', 'mnop']
    call expect_code(pio_put_var(file, table%varid, [1, 1], [8, 2], quarters), 0, 'put_var of a part in pieces')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table, all_lines), 0, 'get_var of texts')
    call expect(all(all_lines == ['abcdefgh', 'ijklmnop', 'two     ']), 'the characters of pieces')
    lines = ' '
    call expect_code(pio_get_var(file, table, [3, 1], [4, 2], lines), 0, 'get_var of a part of rows')
    call expect(all(lines == ['cdef', 'klmn']), 'a part of rows')
  end subroutine

  ! Single characters, and other texts that are shorter than a row, one after the other: land models have dates as
  ! characters, in an array that can be longer.
  subroutine pieces()
    character :: letters(8), grid(8, 3), buffer(40)
    character(4) :: quarters(4), halves(2, 3)
    character(8) :: text, lines(3)
    letters = ['a', 'b', ' ', 'd', 'e', 'f', 'g', 'h']
    call expect_code(pio_put_var(file, row, letters), 0, 'put_var of characters')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, row, text), 0, 'get_var of a text')
    call expect(text == 'ab defgh', 'characters as a text')
    letters = '?'
    call expect_code(pio_get_var(file, row, letters), 0, 'get_var of characters')
    call expect(all(letters == ['a', 'b', ' ', 'd', 'e', 'f', 'g', 'h']), 'characters')

    grid = reshape(['o', 'n', 'e', ' ', ' ', ' ', ' ', ' ', 't', 'w', 'o', '2', '4', '6', '8', '0', 't', 'h', 'r', 'e', 'e', &
                    ' ', ' ', '3'], [8, 3])
    call expect_code(pio_put_var(file, table, grid), 0, 'put_var of characters in rows')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table, lines), 0, 'get_var of texts')
    call expect(all(lines == ['one     ', 'two24680', 'three  3']), 'characters as texts')
    buffer = '?'
    call expect_code(pio_get_var(file, table, [1, 2], [8, 1], buffer), 0, 'get_var of one row into more characters')
    call expect(all(buffer == ['t', 'w', 'o', '2', '4', '6', '8', '0', ('?', ierr=9, 40)]), 'one row as characters')
    grid = '?'
    call expect_code(pio_get_var(file, table, [1, 1], [8, 3], grid), 0, 'get_var of characters in rows')
    call expect(grid(4, 2) == '2' .and. grid(8, 3) == '3' .and. grid(3, 1) == 'e', 'characters in rows')
    buffer(1:3) = ['d', 'a', 'y']
    call expect_code(pio_put_var(file, names, [1, 3], [3, 1], buffer), 0, 'put_var of the first characters')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, names, [1, 3], text), 0, 'get_var in a record')
    call expect(text(:3) == 'day', 'the first characters')

    quarters = ['abcd', 'efgh', 'ijkl', 'mnop']
    call expect_code(pio_put_var(file, table, [1, 2], [8, 2], quarters), 0, 'put_var of pieces')
    call pio_syncfile(file)
    quarters = '?'
    call expect_code(pio_get_var(file, table, [1, 2], [8, 2], quarters), 0, 'get_var of pieces')
    call expect(all(quarters == ['abcd', 'efgh', 'ijkl', 'mnop']), 'pieces')
    halves = '?'
    call expect_code(pio_get_var(file, table, halves), 0, 'get_var of halves')
    call expect(all(halves(:, 3) == ['ijkl', 'mnop']) .and. halves(1, 1) == 'one', 'halves')
    halves(2, :) = ['two ', 'four', 'six ']
    call expect_code(pio_put_var(file, table, halves), 0, 'put_var of halves')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table, lines), 0, 'get_var of texts')
    call expect(all(lines == ['one two ', 'abcdfour', 'ijklsix ']), 'halves as texts')
  end subroutine

  subroutine what_does_not_fit()
    character(8) :: lines(2), all_lines(3)
    all_lines = 'yyyyyyyy'
    lines = 'zzzzzzzz'
    call expect_code(pio_put_var(file, table, all_lines), 0, 'put_var of texts')
    call expect_code(pio_put_var(file, table, lines), 0, 'put_var of two texts for three')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, table, all_lines), 0, 'get_var of texts')
    call expect(all(all_lines == ['zzzzzzzz', 'zzzzzzzz', '        ']), 'a row without a text')
    lines = 'kept'
    call expect(pio_get_var(file, table, lines) /= 0, 'get_var of three texts into two')
    call expect(all(lines == 'kept'), 'texts after a failed get_var')
    call expect(pio_put_var(file, table, [1], [8], lines) /= 0, 'put_var with a short start')
    call expect(pio_put_var(file, table, [1, 1], [8, 3], lines) /= 0, 'put_var of a part that is larger than its texts')
    call expect(pio_get_var(file, table, [1, 1], [8, 3], lines) /= 0, 'get_var of a part that is larger than its texts')
    call expect_code(pio_put_var(file, row, 'much too long'), 0, 'put_var of a text that is too long')
    call pio_syncfile(file)
    call expect_code(pio_get_var(file, row, lines(1)), 0, 'get_var of a text')
    call expect(lines(1) == 'much too', 'a text that was too long')
  end subroutine

  ! A stack usually has 8 MiB.
  subroutine longer_than_the_stack()
    integer, parameter :: n = 9000000
    character(n), allocatable :: text
    type(var_desc_t) :: long
    integer :: dim
    call expect_code(pio_createfile(system, file, usual_iotype(pio_iotype_pnetcdf), own_file('long.nc')), 0, 'createfile')
    call expect_code(pio_def_dim(file, 'n', n, dim), 0, 'def_dim')
    call expect_code(pio_def_var(file, 'long', pio_char, [dim], long), 0, 'def_var')
    call expect_code(pio_enddef(file), 0, 'enddef')
    allocate (text)
    text = repeat('ab', n/2)
    call expect_code(pio_put_var(file, long, text), 0, 'put_var of a long text')
    text = ' '
    call expect_code(pio_get_var(file, long, text), 0, 'get_var of a long text')
    call expect(text(:3) == 'aba' .and. text(n:) == 'b', 'a long text')
    call expect_code(pio_put_var(file, long, [n - 1], 'cd'), 0, 'put_var at the end of a long text')
    text = ' '
    call expect_code(pio_get_var(file, long, [1], text), 0, 'get_var from the beginning of a long text')
    call expect(text(n - 3:) == 'abcd', 'the end of a long text')
    call pio_closefile(file)
  end subroutine
end program texts
