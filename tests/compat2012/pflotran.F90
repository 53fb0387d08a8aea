! pflotran FOLDER READ_SIZE WRITE_SIZE IDLE: the call sequences of PFLOTRAN's input and output, without interfaces:
! separate groups for reading and writing, ids of both kinds, ranks without cells (those of number IDLE modulo 3) that
! skip block writes, and close on the ranks that the client takes for roots.
#include "fortran_family.inc"
module pflotran_client
  use pflotran_checks
  implicit none
  integer, parameter :: k_tail = -7777777
  integer :: read_size, write_size, idle
  integer :: read_gid
  integer(8) :: write_gid
  character(1024) :: folder

contains

  subroutine make_groups()
    integer :: ierr, guarded(2)
    guarded = (/ -1, 4711 /)
    call FN(iogroup_init)(ranks / read_size, MPI_COMM_WORLD, guarded(1), ierr)
    call expect('iogroup_init', 0, ierr)
    call expect('4 bytes of a group id are written', 4711, guarded(2))
    read_gid = guarded(1)
    write_gid = 0
    call FN(iogroup_init)(ranks / write_size, MPI_COMM_WORLD, write_gid, ierr)
    call expect('iogroup_init', 0, ierr)
    call expect('first group', 0, read_gid)
    call expect('second group', 1, int(write_gid))
  end subroutine make_groups

  ! What the client takes for roots.
  logical function closes(size)
    integer, intent(in) :: size
    closes = mod(rank, size) == 0
  end function closes

  ! One dataset, one opening of the file, as for each variable read.
  subroutine read_ids()
    integer :: fid, ierr, ndims, n, i
    integer :: dims(10), local(10), total, first
    integer, allocatable :: ids(:)
    call FN(open_file)(trim(folder) // '/in.h5' // CHAR(0), read_gid, K_READONLY, fid, ierr)
    call expect('open for reading', 0, ierr)
    call expect('first file of the group', 0, fid)
    dims = k_tail
    local = k_tail
    call FN(get_dataset_ndims)(ndims, fid, 'Materials/Cell Ids' // CHAR(0), read_gid, ierr)
    call expect('ndims', 1, ndims)
    call FN(get_dataset_dims)(dims, fid, 'Materials/Cell Ids' // CHAR(0), read_gid, ierr)
    call FN(get_dataset_size)(total, fid, 'Materials/Cell Ids' // CHAR(0) // 'rest of it', read_gid, ierr)
    call expect('dims', rows_before(ranks), dims(1))
    call expect('dims beyond ndims', k_tail, dims(2))
    call expect('size', rows_before(ranks), total)
    first = rows_before(rank)
    n = rows_before(rank + 1) - first
    local(1) = n
    allocate (ids(n + 1))
    ids = k_tail
    call FN(read_dataset)(ids, K_INTEGER, ndims, dims, local, fid, 'Materials/Cell Ids' // CHAR(0), &
      read_gid, K_NONUNIFORM_READ, ierr)
    call expect('read', 0, ierr)
    do i = 1, n
      call expect('a cell id', integer_value(first + i - 1, 1), ids(i))
    end do
    call expect('behind the cell ids', k_tail, ids(n + 1))
    if (closes(read_size)) call FN(close_file)(fid, read_gid, ierr)
  end subroutine read_ids

  ! A file dataset (n, 9) into data(9, n), ids of 8 bytes this time.
  subroutine read_table()
    integer(8) :: fid, gid
    integer :: ierr, dims(3), local(3), i, j, n, first
    real(8), allocatable :: table(:,:)
    fid = 0
    gid = read_gid
    call FN(open_file)(trim(folder) // '/in.h5' // CHAR(0), gid, K_READONLY, fid, ierr)
    call expect('second file of the group', 1, int(fid))
    dims = k_tail
    call FN(get_dataset_dims)(dims, fid, 'Region/table' // CHAR(0), gid, ierr)
    call expect('columns', 9, dims(2))
    first = rows_before(rank)
    n = rows_before(rank + 1) - first
    local = (/ n, 9, k_tail /)
    allocate (table(9, n))
    call FN(read_dataset)(table, K_DOUBLE, 2, dims, local, fid, 'Region/table' // CHAR(0), gid, &
      K_NONUNIFORM_READ, ierr)
    call expect('read', 0, ierr)
    do j = 1, n
      do i = 1, 9
        if (table(i, j) /= double_value((first + j - 1) * 9 + i - 1, 2)) call expect('a column', i, -i)
      end do
    end do
    call read_same(fid, gid)
    if (closes(read_size)) call FN(close_file)(fid, gid, ierr)
  end subroutine read_table

  subroutine read_same(fid, gid)
    integer(8), intent(in) :: fid, gid
    integer :: ierr, i
    real(8) :: same(3)
    call FN(read_same_sub_dataset)(same, K_DOUBLE, 2, (/ 1, 3, k_tail /), (/ 0, 4, k_tail /), fid, &
      'Region/table' // CHAR(0), gid, ierr)
    call expect('read the same', 0, ierr)
    do i = 1, 3
      if (same(i) /= double_value(3 + i, 2)) call expect('the same', i, -i)
    end do
  end subroutine read_same

  ! Rank 0 holds all rows, the others none.
  subroutine write_coordinates(fid, name, n, seed)
    integer, intent(in) :: fid, n, seed
    character(*), intent(in) :: name
    integer :: ierr, i, dims(3), local(3)
    real(8) :: rows(n)
    dims = k_tail
    local = k_tail
    dims(1) = n
    local(1) = merge(n, 0, rank == 0)
    rows = (/ (double_value(i - 1, seed), i = 1, n) /)
    call FN(write_dataset)(rows, K_DOUBLE, 1, dims, local, fid, name // CHAR(0), write_gid, &
      K_NONUNIFORM_WRITE, ierr)
    call expect('coordinates', 0, ierr)
  end subroutine write_coordinates

  logical function has_cells(r)
    integer, intent(in) :: r
    has_cells = ranks == 1 .or. mod(r, 3) /= idle
  end function has_cells

  ! Planes of x in the reverse order of the ranks that have cells, two each; C order, z fastest.
  subroutine write_cells(fid, name, seed)
    integer, intent(in) :: fid, seed
    character(*), intent(in) :: name
    integer :: ierr, i, mine, all_planes, dims(3), local(3), start(3)
    integer :: integers(24)
    real(8) :: doubles(24)
    if (.not. has_cells(rank)) return
    mine = 2 * count((/ (has_cells(i), i = rank + 1, ranks - 1) /))
    all_planes = 2 * count((/ (has_cells(i), i = 0, ranks - 1) /))
    dims = (/ all_planes, 3, 4 /)
    local = (/ 2, 3, 4 /)
    start = (/ mine, 0, 0 /)
    integers = (/ (integer_value(mine * 12 + i, seed), i = 0, 23) /)
    doubles = (/ (double_value(mine * 12 + i, seed), i = 0, 23) /)
    call FN(write_dataset_block)(doubles, K_DOUBLE, 3, dims, local, start, fid, name // CHAR(0), write_gid, ierr)
    call expect('block of doubles', 0, ierr)
    call FN(write_dataset_block)(integers, K_INTEGER, 3, dims, local, start, fid, name // ' Id' // CHAR(0), &
      write_gid, ierr)
    call expect('block of integers', 0, ierr)
  end subroutine write_cells

  ! A file that is not there is opened first; the id tells, not ierr.
  subroutine open_output(fid, is_new)
    integer, intent(out) :: fid
    logical, intent(out) :: is_new
    integer :: ierr
    call FN(open_file)(trim(folder) // '/out.h5' // CHAR(0), write_gid, K_READWRITE, fid, ierr)
    is_new = fid == -1
    if (is_new) then
      call expect('ierr of a file that is not there', -1, ierr)
      call FN(open_file)(trim(folder) // '/out.h5' // CHAR(0), write_gid, K_CREATE, fid, ierr)
    end if
    call expect('open for writing', 0, ierr)
  end subroutine open_output

  subroutine write_time(time)
    integer, intent(in) :: time
    integer :: fid, ierr, present
    integer(8) :: grp
    logical :: is_new
    character(32) :: name
    call open_output(fid, is_new)
    call expect('the first time makes the file', merge(1, 0, time == 1), merge(1, 0, is_new))
    grp = 0
    if (is_new) then
      call FN(create_dataset_group)(grp, 'Coordinates' // CHAR(0), fid, write_gid, ierr)
      call expect('group of coordinates', 0, ierr)
      call write_coordinates(fid, 'X [m]', 9, 11)
      call write_coordinates(fid, 'Y [m]', 4, 12)
      call FN(close_dataset_group)(grp, fid, write_gid, ierr)
      call expect('close group', 0, ierr)
    end if
    write (name, '(a,es12.5,a)') 'Time:', real(time, 8), ' y'
    call FN(group_exists)(trim(name) // CHAR(0), fid, write_gid, present)
    call expect('group exists', 0, present)
    call FN(create_dataset_group)(grp, trim(name) // CHAR(0), fid, write_gid, ierr)
    ! PFLOTRAN writes blocks next: nothing that all ranks call comes between.
    if (time == 1) then
      call FN(group_exists)(trim(name) // CHAR(0), fid, write_gid, present)
      call expect('group exists', 1, present)
      call FN(dataset_exists)('Coordinates/X [m]' // CHAR(0), fid, write_gid, present)
      call expect('dataset exists', 1, present)
    end if
    call write_cells(fid, 'Pressure', 20 + time)
    call write_cells(fid, 'Liquid Saturation', 30 + time)
    call FN(close_dataset_group)(grp, fid, write_gid, ierr)
    if (closes(write_size)) call FN(close_file)(fid, write_gid, ierr)
  end subroutine write_time

end module pflotran_client

program pflotran
  use pflotran_client
  implicit none
  integer :: i, numbers(3), time
  character(32) :: argument
  call begin()
  call get_command_argument(1, folder)
  do i = 1, 3
    call get_command_argument(i + 1, argument)
    read (argument, *) numbers(i)
  end do
  read_size = numbers(1)
  write_size = numbers(2)
  idle = numbers(3)
  call make_groups()
  do time = 1, 3
    if (time < 3) call write_time(time)
    if (time == 1) call read_ids()
    if (time == 2) call read_table()
  end do
  call write_time(3)
  ! PFLOTRAN never cleans up.
  call finish()
end program pflotran
