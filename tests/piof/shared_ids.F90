! A program in C and Fortran: ids of systems, files and decompositions are the same in both.
program shared_ids
  use, intrinsic :: iso_c_binding
  use expectations
  use pio
  implicit none
  interface
    integer(c_int) function use_ids(iosysid, ncid, ioid, path, made) bind(C)
      import :: c_int, c_char
      integer(c_int), value :: iosysid, ncid, ioid
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), intent(inout) :: made
    end function
    integer(c_int) function end_use(made) bind(C)
      import :: c_int
      integer(c_int), value :: made
    end function
  end interface
  type(iosystem_desc_t), target :: system
  type(file_desc_t) :: file
  type(io_desc_t) :: iodesc
  integer :: made, length, ierr
  character(4) :: text
  call start()
  call pio_init(rank, world, 1, 0, 1, pio_rearr_box, system)
  call pio_seterrorhandling(system, pio_bcast_error)
  call pio_initdecomp(system, pio_int, [2*ranks], [2*rank + 1, 2*rank + 2], iodesc)
  call expect_code(pio_createfile(system, file, pio_iotype_pnetcdf, own_file('fortran.nc')), 0, 'createfile')
  made = -1
  call expect_code(use_ids(system%iosysid, file%fh, iodesc%ioid, own_file('c.nc')//c_null_char, made), 0, 'the part in C')
  call expect_code(pio_get_att(file, pio_global, 'from_c', text), 0, 'get_att')
  call expect(text == 'c', 'an attribute of the part in C')
  call expect(made /= file%fh, 'two files')
  call expect_code(pio_inq_dimlen(made, 1, length), 0, 'inq_dimlen of a file of the part in C')
  call expect(length == 7, 'the length of a dimension of the part in C')
  call expect_code(pio_enddef(made), 0, 'enddef of a file of the part in C')
  call expect_code(end_use(made), 0, 'the end of the part in C')
  call expect_code(pio_inq_dimlen(made, 1, length), -33, 'a file that the part in C has closed')
  call pio_closefile(file)
  call pio_freedecomp(system, iodesc)
  call pio_finalize(system, ierr)
  call finish()
end program shared_ids
