! fortran_additions FOLDER: what the old library had in no language, from Fortran: block reads, index lists, the entire
! write, 64-bit queries, a largest buffer; and iogroup_init2 and the two cleanups. Collective over MPI_COMM_WORLD.
#include "fortran_family.inc"
program fortran_additions
  use pflotran_checks
  implicit none
  integer, parameter :: k_rows = 4, k_columns = 3
  integer :: gid, fid, ierr, n
  integer(8) :: total_of_letters, dims(2), list(k_rows * k_columns + 1)
  character(1024) :: folder

  call begin()
  call get_command_argument(1, folder)
  call FN(iogroup_init2)(2, 0, MPI_COMM_WORLD, gid, ierr)
  call expect('iogroup_init2', 0, ierr)
  call FN(set_max_buffer)(4194304_8, gid, ierr)
  call expect('set_max_buffer', 0, ierr)
  call FN(open_file)(trim(folder) // '/out.h5' // CHAR(0), gid, K_CREATE, fid, ierr)
  call expect('open', 0, ierr)
  dims = (/ k_rows * ranks, k_columns /)
  n = make_list()
  call write_listed()
  call read_listed()
  call read_block()
  call entire()
  call letters()
  call inquire_sizes()
  call read_error()
  call FN(close_file)(fid, gid, ierr)
  call expect('close', 0, ierr)
  call FN(iogroup_cleanup)(gid, ierr)
  call expect('iogroup_cleanup', 0, ierr)
  call FN(cleanup)(ierr)
  call expect('cleanup', 0, ierr)
  call finish()

contains

  ! Elements in turn, 0-based, with a hole behind the fifth.
  integer function make_list()
    integer :: i
    make_list = 0
    do i = rank, k_rows * k_columns * ranks - 1, ranks
      make_list = make_list + 1
      list(make_list) = i
      if (make_list == 5) then
        make_list = make_list + 1
        list(make_list) = -1
      end if
    end do
  end function make_list

  subroutine write_listed()
    real(8) :: values(n)
    integer :: i
    values = (/ (double_value(int(list(i)), 1), i = 1, n) /)
    call FN(write_dataset_indexed)(values, K_DOUBLE, 2, dims, int(n, 8), list, fid, &
      'indexed' // CHAR(0), gid, ierr)
    call expect('write indexed', 0, ierr)
    call FN(set_index_list)(int(n, 8), list, fid, gid, ierr)
    call expect('set index list', 0, ierr)
    call FN(write_dataset)(values, K_DOUBLE, 2, int(dims), (/ n, 1 /), fid, 'listed' // CHAR(0), gid, &
      K_NONCONTIGUOUS_WRITE, ierr)
    call expect('write noncontiguous', 0, ierr)
  end subroutine write_listed

  subroutine read_listed()
    real(8) :: values(n)
    integer :: i
    values = 0.25d0
    call FN(read_dataset_indexed)(values, K_DOUBLE, 2, dims, int(n, 8), list, fid, &
      'listed' // CHAR(0), gid, ierr)
    call expect('read indexed', 0, ierr)
    do i = 1, n
      if (list(i) < 0 .and. values(i) /= 0.25d0) call expect('hole', i, -i)
      if (list(i) >= 0 .and. values(i) /= double_value(int(list(i)), 1)) call expect('element', i, -i)
    end do
  end subroutine read_listed

  ! The last column, the rows of this rank and one of the next.
  subroutine read_block()
    real(8) :: values(k_rows + 1)
    integer :: i, count
    count = merge(k_rows + 1, k_rows, rank < ranks - 1)
    call FN(read_dataset_block)(values, K_DOUBLE, 2, int(dims), (/ count, 1 /), (/ k_rows * rank, k_columns - 1 /), &
      fid, 'indexed' // CHAR(0), gid, ierr)
    call expect('read block', 0, ierr)
    do i = 1, count
      if (values(i) /= double_value((k_rows * rank + i) * k_columns - 1, 1)) call expect('block', i, -i)
    end do
  end subroutine read_block

  subroutine entire()
    integer :: numbers(5), i
    numbers = (/ (integer_value(i - 1, 2) + 7 * rank, i = 1, 5) /)
    call FN(write_dataset)(numbers, K_INTEGER, 1, (/ 5 /), (/ 5 /), fid, 'entire' // CHAR(0), gid, &
      K_ENTIRE_WRITE, ierr)
    call expect('entire write', 0, ierr)
    call FN(read_dataset)(numbers, K_INTEGER, 1, (/ 5 /), (/ 5 /), fid, 'entire' // CHAR(0), gid, &
      K_ENTIRE_READ, ierr)
    call expect('entire read', 0, ierr)
    do i = 1, 5
      call expect('entire', integer_value(i - 1, 2), numbers(i))
    end do
  end subroutine entire

  ! The compiler passes the length of the letters before that of the name.
  subroutine letters()
    character :: written(5), found(5)
    written = (/ 'a', 'b', 'c', 'd', 'e' /)
    found = ' '
    call FN(write_dataset)(written, K_CHAR, 1, (/ 5 /), (/ 5 /), fid, 'letters' // CHAR(0), gid, &
      K_ENTIRE_WRITE, ierr)
    call expect('write of letters', 0, ierr)
    call FN(read_dataset)(found, K_CHAR, 1, (/ 5 /), (/ 5 /), fid, 'letters' // CHAR(0), gid, &
      K_ENTIRE_READ, ierr)
    call expect('read of letters', 0, ierr)
    call expect('letters', 5, count(found == written))
    call FN(get_dataset_size64)(total_of_letters, fid, 'letters' // CHAR(0), gid, ierr)
    call expect('the dataset has its whole name', 0, ierr)
  end subroutine letters

  subroutine inquire_sizes()
    integer(8) :: found(2), total
    call FN(get_dataset_dims64)(found, fid, 'indexed' // CHAR(0), gid, ierr)
    call expect('dims64', 0, ierr)
    call expect('rows', k_rows * ranks, int(found(1)))
    call expect('columns', k_columns, int(found(2)))
    call FN(get_dataset_size64)(total, fid, 'indexed' // CHAR(0), gid, ierr)
    call expect('size64', k_rows * k_columns * ranks, int(total))
  end subroutine inquire_sizes

  ! Behind a call that failed; the text is filled up with blanks.
  subroutine read_error()
    character(400) :: text
    integer :: no_file
    text = repeat('x', 400)
    call FN(open_file)('/nowhere/no such.h5' // CHAR(0), gid, K_READONLY, no_file, ierr)
    call expect('no such file', -1, ierr)
    call FN(get_last_error)(text, ierr)
    call expect('get_last_error', 0, ierr)
    call expect('names the file', 1, merge(1, 0, index(text, 'no such.h5') > 0))
    call expect('names the call', 1, merge(1, 0, index(text, 'open_file') > 0))
    call expect('ends with blanks', 1, merge(1, 0, len_trim(text) < 400 .and. index(text, 'xx') == 0))
  end subroutine read_error

end program fortran_additions
