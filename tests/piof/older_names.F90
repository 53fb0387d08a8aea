! Modules and generic procedures by the names that earlier versions of the library had, in scopes of their own as a model
! has them: a record of a history is written and read.
module older_output
  use pio_types, only: file_desc_t, io_desc_t, var_desc_t, iosystem_desc_t, pio_double, pio_global, pio_unlimited, &
    pio_max_var_dims, pio_64bit_data, pio_clobber, pio_noerr
  use pio_kinds, only: pio_offset_kind
  implicit none
  type(file_desc_t) :: file
  type(io_desc_t) :: iodesc
  type(var_desc_t) :: time, field

contains

  integer function define(system, iotype, path, columns) result(ierr)
    use piolib_mod, only: pio_createfile
    use pio_nf, only: pio_def_dim, pio_def_var, pio_enddef
    use pionfatt_mod, only: pio_put_att => put_att
    type(iosystem_desc_t), intent(in) :: system
    integer, intent(in) :: iotype, columns
    character(*), intent(in) :: path
    character(64) :: units
    integer :: dims(2)
    units = 'K'
    ierr = pio_createfile(system, file, iotype, path, ior(pio_64bit_data, pio_clobber))
    if (ierr /= pio_noerr) return
    ierr = pio_def_dim(file, 'column', columns, dims(1))
    ierr = pio_def_dim(file, 'time', pio_unlimited, dims(2))
    ierr = pio_def_var(file, 'time', pio_double, dims(2:2), time)
    ierr = pio_def_var(file, 'T', pio_double, dims, field)
    ierr = pio_put_att(file, field, 'units', units)
    ierr = pio_put_att(file, pio_global, 'records', 1)
    ierr = pio_enddef(file)
  end function

  integer function put_record(values) result(ierr)
    use piolib_mod, only: pio_setframe
    use piodarray, only: pio_write_darray
    use pionfput_mod, only: pio_put_var => put_var
    double precision, intent(in) :: values(:)
    integer :: start(pio_max_var_dims), length(pio_max_var_dims)
    start = 1
    length = 1
    ierr = pio_put_var(file, time, start(:1), length(:1), [0.5d0])
    if (ierr /= pio_noerr) return
    call pio_setframe(file, field, 1_pio_offset_kind)
    call pio_write_darray(file, field, iodesc, values, ierr)
  end function

  integer function get_record(values, when, units) result(ierr)
    use piodarray, only: pio_read_darray
    use pionfatt_mod, only: get_att
    use pionfget_mod, only: get_var
    double precision, intent(inout) :: values(:), when(1)
    character(*), intent(inout) :: units
    ierr = get_att(file, field, 'units', units)
    if (ierr == pio_noerr) ierr = get_var(file, time, when)
    if (ierr == pio_noerr) call pio_read_darray(file, field, iodesc, values, ierr)
  end function
end module older_output

program older_names
  use expectations
  use older_output
  use pio
  implicit none
  type(iosystem_desc_t), target :: system
  integer :: ierr, i
  double precision :: written(2), found(2), when(1)
  character(8) :: units
  call start()
  call pio_init(rank, world, 1, 0, 1, pio_rearr_subset, system, base=0)
  call pio_initdecomp(system, pio_double, [2*ranks], [(2*rank + i, i=1, 2)], iodesc)
  call expect_code(define(system, usual_iotype(pio_iotype_netcdf), own_file('older.nc'), 2*ranks), 0, 'definitions')
  written = [rank + 0.25d0, rank + 0.5d0]
  call expect_code(put_record(written), 0, 'a record')
  found = 0
  call expect_code(get_record(found, when, units), 0, 'the record again')
  call expect(all(abs(found - written) <= 0) .and. abs(when(1) - 0.5d0) <= 0, 'the values')
  call expect(units == 'K', 'the attribute')
  call pio_freedecomp(file, iodesc)
  call pio_closefile(file)
  call pio_finalize(system, ierr)
  call finish()
end program older_names
