! append FOLDER TURN: makes files (turn 0), or adds a record, a variable and attributes to files that are there, as
! tests/pio/append.c does in C; tests/pio/append.py makes files of the same form, has turns in between, and checks them.
program append
  use expectations
  use pio
  implicit none
  integer, parameter :: columns = 7
  character(*), parameter :: files(*) = [character(9) :: 'type3.nc', 'type4.nc', 'type8.nc', 'type9.nc', 'python.nc', 'model.nc']
  integer, parameter :: types(*) = [pio_iotype_netcdf4c, pio_iotype_netcdf4p, pio_iotype_hdf5, pio_iotype_hdf5c]
  type(iosystem_desc_t), target :: system
  type(file_desc_t) :: file
  type(io_desc_t) :: of_reals, of_doubles
  integer, allocatable :: map(:)
  integer :: turn, i, ierr
  character(8) :: argument
  call start()
  call get_command_argument(2, argument)
  read (argument, *) turn
  call pio_init(rank, world, 1, 0, 1, pio_rearr_box, system)
  call pio_seterrorhandling(system, pio_bcast_error)
  map = [(i, i=rank + 1, columns, ranks)]
  call pio_initdecomp(system, pio_real, [columns], map, of_reals)
  call pio_initdecomp(system, pio_double, [columns], map, of_doubles)
  if (turn == 0) then
    do i = 1, size(types)
      call make(types(i), own_file(trim(files(i))))
    end do
  else
    do i = 1, size(files)
      call continue_file(own_file(trim(files(i))))
    end do
  end if
  call pio_freedecomp(system, of_reals)
  call pio_freedecomp(system, of_doubles)
  call pio_finalize(system, ierr)
  call finish()

contains

  subroutine make(iotype, path)
    integer, intent(in) :: iotype
    character(*), intent(in) :: path
    type(var_desc_t) :: desc
    integer :: time, x
    call expect_code(pio_createfile(system, file, iotype, path, pio_clobber), 0, 'createfile')
    call expect_code(pio_def_dim(file, 'time', pio_unlimited, time), 0, 'def_dim')
    call expect_code(pio_def_dim(file, 'x', columns, x), 0, 'def_dim')
    call expect_code(pio_def_var(file, 'time', pio_double, [time], desc), 0, 'def_var')
    call expect_code(pio_def_var(file, 'B', pio_int, [x, time], desc), 0, 'def_var')
    call expect_code(pio_def_var_endian(file, desc, pio_endian_big), 0, 'def_var_endian')
    call expect_code(pio_def_var(file, 'S', pio_double, [x], desc), 0, 'def_var')
    call expect_code(pio_def_var(file, 'T', pio_real, [x, time], desc), 0, 'def_var')
    call expect_code(pio_def_var_deflate(file, desc, 1, 1, 4), 0, 'def_var_deflate')
    call expect_code(pio_put_att(file, desc, 'units', 'K'), 0, 'put_att')
    call expect_code(pio_enddef(file), 0, 'enddef')
    call write_record(1)
    call write_record(2)
    call pio_closefile(file)
  end subroutine

  subroutine write_record(record)
    integer, intent(in) :: record
    type(var_desc_t) :: t_desc, s_desc
    integer :: id
    call expect_code(pio_inq_varid(file, 'T', t_desc), 0, 'inq_varid')
    call pio_setframe(file, t_desc, int(record, pio_offset_kind))
    call pio_write_darray(file, t_desc, of_reals, real(100*(record - 1) + map - 1, c_float), ierr)
    call expect_code(ierr, 0, 'write_darray')
    call expect_code(pio_inq_varid(file, 'B', id), 0, 'inq_varid')
    call expect_code(pio_put_var(file, id, [1, record], [columns, 1], [(1000*(record - 1) + i, i=0, columns - 1)]), 0, 'put_var')
    call expect_code(pio_inq_varid(file, 'time', id), 0, 'inq_varid')
    call expect_code(pio_put_var(file, id, [record], 0.5_c_double*(record - 1)), 0, 'put_var')
    call expect_code(pio_inq_varid(file, 'S', s_desc), 0, 'inq_varid')
    call pio_write_darray(file, s_desc, of_doubles, real(turn + map - 1, c_double), ierr)
    call expect_code(ierr, 0, 'write_darray')
  end subroutine

  subroutine check_record(record)
    integer, intent(in) :: record
    type(var_desc_t) :: t_desc
    real(c_float), allocatable :: row(:)
    integer :: big(columns), id
    character(12) :: members(2)
    allocate (row(size(map)))
    call expect_code(pio_inq_varid(file, 'T', t_desc), 0, 'inq_varid')
    call pio_setframe(file, t_desc, int(record, pio_offset_kind))
    call pio_read_darray(file, t_desc, of_reals, row, ierr)
    call expect_code(ierr, 0, 'read_darray')
    call expect(all(nint(row) == 100*(record - 1) + map - 1), 'the last record')
    call expect_code(pio_inq_varid(file, 'B', id), 0, 'inq_varid')
    call expect_code(pio_get_var(file, id, [1, record], [columns, 1], big), 0, 'get_var')
    call expect(all(big == [(1000*(record - 1) + i, i=0, columns - 1)]), 'the last record of a big-endian variable')
    if (pio_inq_att(file, t_desc, 'members') /= pio_noerr) return
    call expect_code(pio_get_att(file, t_desc, 'members', members), 0, 'get_att of strings')
    call expect(members(1) == 'first' .and. members(2) == 'second one', 'strings')
  end subroutine

  subroutine continue_file(path)
    character(*), intent(in) :: path
    type(var_desc_t) :: desc, more
    integer :: time, x, records
    character(32) :: text
    call expect_code(pio_openfile(system, file, pio_iotype_netcdf4p, path, pio_write), 0, 'openfile')
    call expect_code(pio_inq_dimid(file, 'time', time), 0, 'inq_dimid')
    call expect_code(pio_inq_dimid(file, 'x', x), 0, 'inq_dimid')
    call expect_code(pio_inq_dimlen(file, time, records), 0, 'inq_dimlen')
    call check_record(records)
    call write_record(records + 1)
    call expect_code(pio_inq_varid(file, 'T', desc), 0, 'inq_varid')
    call expect_code(pio_redef(file), 0, 'redef')
    write (text, '(a, i0)') 'N', turn
    call expect_code(pio_def_var(file, trim(text), 3, [x, time], more), 0, 'def_var') ! of 16 bits
    call expect_code(pio_put_att(file, more, 'units', 'm'), 0, 'put_att')
    call expect_code(pio_put_att(file, desc, 'units', 'kelvin'), 0, 'put_att')
    write (text, '(a, i0)') 'continued in turn ', turn
    call expect_code(pio_put_att(file, pio_global, 'history', trim(text)), 0, 'put_att')
    call expect_code(pio_enddef(file), 0, 'enddef')
    call expect_code(pio_put_var(file, more, [1, records + 1], [columns, 1], [(10*turn + i, i=0, columns - 1)]), 0, 'put_var')
    call pio_closefile(file)
  end subroutine
end program append
