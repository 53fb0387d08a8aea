! Files by the I/O types of netCDF-4, with records, chunks and compression.
program netcdf4
  use expectations
  use pio
  implicit none
  integer, parameter :: columns = 6, levels = 5, steps = 3
  type(iosystem_desc_t), target :: system
  type(io_desc_t) :: iodesc
  integer, allocatable :: map(:)
  integer :: i, k, ierr
  integer, parameter :: types(4) = [pio_iotype_netcdf4c, pio_iotype_netcdf4p, pio_iotype_hdf5, pio_iotype_hdf5c]
  call start()
  call pio_init(rank, world, 1, 0, 1, pio_rearr_box, system)
  call pio_seterrorhandling(system, pio_bcast_error)
  map = [((i + (k - 1)*columns, i=rank + 1, columns, ranks), k=1, levels)]
  call pio_initdecomp(system, pio_double, [columns, levels], map, iodesc)
  do i = 1, size(types)
    call expect(pio_iotype_available(types(i)), 'an I/O type that is available')
    call write_file(types(i), own_file('netcdf4.nc'))
    call read_file(types(i), own_file('netcdf4.nc'))
  end do
  call pio_freedecomp(system, iodesc)
  call pio_finalize(system, ierr)
  call finish()

contains

  logical function is_compressed(iotype)
    integer, intent(in) :: iotype
    is_compressed = iotype == pio_iotype_netcdf4c .or. iotype == pio_iotype_hdf5c
  end function

  subroutine write_file(iotype, path)
    integer, intent(in) :: iotype
    character(*), intent(in) :: path
    type(file_desc_t) :: file
    type(var_desc_t) :: t_desc, tiled
    integer :: dims(3), shuffle, deflate, level, endian, step
    call expect_code(pio_createfile(system, file, iotype, path, pio_clobber), 0, 'createfile')
    call expect_code(pio_def_dim(file, 'column', columns, dims(1)), 0, 'def_dim')
    call expect_code(pio_def_dim(file, 'level', levels, dims(2)), 0, 'def_dim')
    call expect_code(pio_def_dim(file, 'time', pio_unlimited, dims(3)), 0, 'def_dim')
    call expect_code(pio_def_var(file, 'T', pio_real, dims, t_desc), 0, 'def_var')
    call expect_code(pio_inq_var_deflate(file, t_desc, shuffle, deflate, level), 0, 'inq_var_deflate')
    call expect((deflate == 1) .eqv. is_compressed(iotype), 'the compression of the I/O type')
    call expect_code(pio_def_var(file, 'tiled', pio_int, dims(1:2), tiled), 0, 'def_var')
    call expect_code(pio_def_var_chunking(file, tiled, pio_chunked, [2, 5]), 0, 'def_var_chunking')
    call expect_code(pio_def_var_chunking(file, tiled, pio_chunked, [7, 1]), -127, 'chunks that are too large')
    call expect_code(pio_def_var_chunking(file, tiled, pio_chunked, [7]), -36, 'chunks of too few extents')
    call expect_code(pio_def_var_deflate(file, tiled, 1, 1, 4), 0, 'def_var_deflate')
    call expect_code(pio_inq_var_deflate(file, tiled, shuffle, deflate, level), 0, 'inq_var_deflate')
    call expect(shuffle == 1 .and. deflate == 1 .and. level == 4, 'what was defined')
    call expect_code(pio_def_var_endian(file, t_desc, pio_endian_big), 0, 'def_var_endian')
    call expect_code(pio_def_var_endian(file, t_desc%varid, endian=3), -36, 'no byte order')
    call expect_code(pio_inq_var_endian(file%fh, t_desc%varid, endian), 0, 'inq_var_endian')
    call expect(endian == pio_endian_big, 'the byte order that was defined')
    call expect_code(pio_put_att(file, t_desc, 'units', 'K'), 0, 'put_att')
    call expect_code(pio_enddef(file), 0, 'enddef')
    call expect_code(pio_def_var_deflate(file, tiled, 1, 1, 4), -123, 'def_var_deflate after enddef')
    do step = 1, steps
      call pio_setframe(file, t_desc, int(step, pio_offset_kind))
      call pio_write_darray(file, t_desc, iodesc, real(100*step + map, kind(1d0)), ierr)
      call expect_code(ierr, 0, 'write_darray')
    end do
    call expect_code(pio_put_var(file, tiled, reshape([(i, i=1, columns*levels)], [columns, levels])), 0, 'put_var')
    call pio_closefile(file)
  end subroutine

  subroutine read_file(iotype, path)
    integer, intent(in) :: iotype
    character(*), intent(in) :: path
    type(file_desc_t) :: file
    type(var_desc_t) :: t_desc
    integer :: step, length, endian, found(columns, levels), tiled
    character(8) :: units
    real(kind(1d0)), allocatable :: values(:)
    allocate (values(size(map)))
    call expect_code(pio_openfile(system, file, iotype, path), 0, 'openfile')
    call expect_code(pio_inq_dimlen(file, 3, length), 0, 'inq_dimlen')
    call expect(length == steps, 'the number of records')
    call expect_code(pio_inq_varid(file, 'T', t_desc), 0, 'inq_varid')
    call expect_code(pio_get_att(file, t_desc, 'units', units), 0, 'get_att')
    call expect(units == 'K', 'an attribute')
    call expect_code(pio_inq_var_endian(file, t_desc, endian), 0, 'inq_var_endian')
    call expect(endian == pio_endian_big, 'the byte order in the file')
    do step = 1, steps
      call pio_setframe(file, t_desc, int(step, pio_offset_kind))
      call pio_read_darray(file, t_desc, iodesc, values, ierr)
      call expect_code(ierr, 0, 'read_darray')
      call expect(all(values == 100*step + map), 'the values of a record')
    end do
    call expect_code(pio_inq_varid(file, 'tiled', tiled), 0, 'inq_varid')
    call expect_code(pio_get_var(file, tiled, found), 0, 'get_var')
    call expect(all(pack(found, .true.) == [(i, i=1, columns*levels)]), 'the values of a variable in chunks')
    call pio_closefile(file)
  end subroutine
end program netcdf4
