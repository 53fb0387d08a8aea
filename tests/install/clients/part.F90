! In Fortran, through the interface of 2012: each rank writes its row and reads it back.
integer(c_int) function part_fortran(path) bind(C)
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  include 'scorpiof.h'
  character(kind=c_char), intent(in) :: path(*)
  character(256) :: name
  integer :: i, rank, ranks, gid, fid, ierr, dims(2), mine(2), row(3), back(3), failures

  name = ' '
  do i = 1, 255
    if (path(i) == c_null_char) exit
    name(i:i) = path(i)
  end do
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = (/ ranks, 3 /)
  mine = (/ 1, 3 /)
  row = (/ 10 * rank, 10 * rank + 1, 10 * rank + 2 /)
  back = -1
  failures = 0
  call fscorpio_iogroup_init(1, MPI_COMM_WORLD, gid, ierr)
  failures = failures + abs(ierr)
  call fscorpio_open_file(trim(name) // char(0), gid, SCORPIO_FILE_CREATE, fid, ierr)
  failures = failures + abs(ierr)
  call fscorpio_write_dataset(row, SCORPIO_INTEGER, 2, dims, mine, fid, 'rows' // char(0), gid, &
    SCORPIO_NONUNIFORM_CONTIGUOUS_WRITE, ierr)
  failures = failures + abs(ierr)
  call fscorpio_close_file(fid, gid, ierr)
  call fscorpio_open_file(trim(name) // char(0), gid, SCORPIO_FILE_READONLY, fid, ierr)
  failures = failures + abs(ierr)
  call fscorpio_read_dataset(back, SCORPIO_INTEGER, 2, dims, mine, fid, 'rows' // char(0), gid, &
    SCORPIO_NONUNIFORM_CONTIGUOUS_READ, ierr)
  failures = failures + abs(ierr)
  call fscorpio_close_file(fid, gid, ierr)
  call fscorpio_iogroup_cleanup(gid, ierr)
  if (any(back /= row)) failures = failures + 100
  part_fortran = failures
end function part_fortran
