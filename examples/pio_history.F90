! The PIO interface in Fortran: a history file with a record for each of three steps, whose columns are distributed.
!   $(pkg-config --variable=mpifort piof) pio_history.F90 $(pkg-config --cflags --libs piof) && mpirun -n 4 ./a.out history.nc
program pio_history
  use mpi
  use pio
  implicit none
  integer, parameter :: columns = 10, levels = 3, steps = 3
  type(iosystem_desc_t), target :: iosystem
  type(io_desc_t) :: iodesc
  type(file_desc_t) :: file
  type(var_desc_t) :: time_desc, t_desc
  integer, allocatable :: map(:)
  real(c_double), allocatable :: t(:)
  integer :: rank, ranks, dims(3), step, i, k, ierr
  character(256) :: path

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, path)

  ! /* <shown> */
  ! One I/O rank; this rank has every ranks-th column, with all levels. The map holds the positions of its elements in the array.
  call pio_init(rank, MPI_COMM_WORLD, 1, 0, 1, pio_rearr_box, iosystem, base=0)
  map = [((i + (k - 1)*columns, i=rank + 1, columns, ranks), k=1, levels)]
  call pio_initdecomp(iosystem, pio_double, [columns, levels], map, iodesc)

  ierr = pio_createfile(iosystem, file, pio_iotype_pnetcdf, path, pio_clobber)
  ierr = pio_def_dim(file, 'column', columns, dims(1))
  ierr = pio_def_dim(file, 'level', levels, dims(2))
  ierr = pio_def_dim(file, 'time', pio_unlimited, dims(3))
  ierr = pio_def_var(file, 'time', pio_double, dims(3:3), time_desc)
  ierr = pio_def_var(file, 'T', pio_real, dims, t_desc)
  ierr = pio_put_att(file, t_desc, 'units', 'K')
  ierr = pio_enddef(file)

  do step = 1, steps
    t = 250 + map + 100*step
    ierr = pio_put_var(file, time_desc, [step], 0.5_c_double*step)
    call pio_setframe(file, t_desc, int(step, pio_offset_kind))
    call pio_write_darray(file, t_desc, iodesc, t, ierr)
  end do
  call pio_freedecomp(iosystem, iodesc)
  call pio_closefile(file)
  call pio_finalize(iosystem, ierr)
  ! /* </shown> */
  call MPI_Finalize(ierr)
end program pio_history
