! A user's program with the PIO interface: an array of two elements a rank, written and read.
program client
  use mpi
  use pio
  use pio_kinds, only: r8
  use pio_nf_utils, only: copy_pio_var
  use pio_types, only: pio_fh_invalid
  use pionfatt_mod, only: pio_put_att
  implicit none
  type(iosystem_desc_t), target :: system
  type(file_desc_t) :: file
  type(var_desc_t) :: variable
  type(io_desc_t) :: iodesc
  integer :: rank, ranks, cells, ierr
  real(r8) :: values(2), found(2)
  character(200) :: path

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, path)
  file%fh = pio_fh_invalid
  call pio_init(rank, MPI_COMM_WORLD, 1, 0, 1, pio_rearr_box, system, base=0)
  call pio_initdecomp(system, pio_double, [2*ranks], [2*rank + 1, 2*rank + 2], iodesc)
  ierr = pio_createfile(system, file, pio_iotype_pnetcdf, path, pio_clobber)
  ierr = pio_def_dim(file, 'cells', 2*ranks, cells)
#ifdef OLDER_NAMES
  ierr = pio_def_var(file, name='v', type=pio_double, dimids=[cells], vardesc=variable)
#else
  ierr = pio_def_var(file, vname='v', vtype=pio_double, vdimids=[cells], vdesc=variable)
#endif
  ierr = pio_put_att(file, variable%varid, 'units', 'm')
  ierr = pio_enddef(file)
  values = [rank + 0.25_r8, rank + 0.5_r8]
  call pio_write_darray(file, variable, iodesc, values, ierr)
  call pio_syncfile(file)
  found = 0
  call pio_read_darray(file, variable, iodesc, found, ierr)
  call pio_freedecomp(file, iodesc)
  call pio_closefile(file)
  call pio_finalize(system, ierr)
  call MPI_Finalize(ierr)
  if (any(found /= values)) stop 1
end program client
