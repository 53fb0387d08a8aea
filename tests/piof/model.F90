! A program as a climate model would write it: a history with records, a restart file, a second run that reads the restart
! and appends to the history. Compiled with -fdefault-real-8 -fdefault-double-8 too, as some models are.
module model_grid
  use expectations, only: rank, ranks
  implicit none
  integer, parameter :: nlon = 12, nlat = 7, nlev = 3
  integer, parameter :: points = nlon*nlat

contains

  ! Columns go round the ranks; a point of the sea (every fifth) belongs to nobody. The last element is padding.
  function columns() result(map)
    integer, allocatable :: map(:)
    integer :: i
    map = [pack([(i, i=1, points)], mod([(i, i=1, points)], ranks) == rank .and. mod([(i, i=1, points)], 5) /= 0), 0]
  end function

  ! The same columns with their levels, the level changing slowest.
  function with_levels(flat) result(map)
    integer, intent(in) :: flat(:)
    integer, allocatable :: map(:)
    integer :: k
    map = [(merge(flat + (k - 1)*points, 0, flat > 0), k=1, nlev)]
  end function

  elemental real function temperature(point, step)
    integer, intent(in) :: point, step
    temperature = 250.0 + point*0.5 + step*1000.0
  end function
end module model_grid

module model_state
  use expectations, only: expect, expect_code, own_file, usual_iotype
  use model_grid
  use pio
  implicit none
  type(iosystem_desc_t), target :: iosystem
  type(io_desc_t) :: iodesc_2d, iodesc_3d
  integer, allocatable :: flat(:), deep(:)
  real, allocatable :: t(:, :)
  real, allocatable :: ps(:)
  integer :: step = 0

contains

  subroutine initialise()
    flat = columns()
    deep = with_levels(flat)
    allocate (t(size(flat), nlev), ps(size(flat)))
    call pio_initdecomp(iosystem, kind_of_real(), [nlon, nlat], flat, iodesc_2d)
    call pio_initdecomp(iosystem, kind_of_real(), [nlon, nlat, nlev], int(deep, pio_offset_kind), iodesc_3d, &
                        rearr=pio_rearr_box)
  end subroutine

  integer function kind_of_real()
    kind_of_real = merge(pio_double, pio_real, kind(1.0) == kind(pio_fill_double))
  end function

  subroutine advance()
    step = step + 1
    t = reshape(temperature(deep, step), shape(t))
    ps = temperature(flat, step)/2
  end subroutine
end module model_state

module model_history
  use model_state
  implicit none
  type(file_desc_t) :: history
  type(var_desc_t) :: var_t, var_ps, var_time, var_date
  integer :: record = 0

contains

  subroutine create_history()
    integer :: lon, lat, lev, time, chars, ierr
    type(var_desc_t) :: var_lon
    call expect_code(pio_createfile(iosystem, history, usual_iotype(pio_iotype_pnetcdf), own_file('history.nc'), &
                                    ior(pio_clobber, pio_64bit_offset)), 0, 'history')
    ierr = pio_def_dim(history, 'lon', nlon, lon)
    ierr = pio_def_dim(history, 'lat', nlat, lat)
    ierr = pio_def_dim(history, 'lev', nlev, lev)
    ierr = pio_def_dim(history, 'chars', 8, chars)
    ierr = pio_def_dim(history, 'time', pio_unlimited, time)
    ierr = pio_put_att(history, pio_global, 'title', 'a model''s history')
    ierr = pio_def_var(history, 'lon', pio_double, [lon], var_lon)
    ierr = pio_def_var(history, 'time', pio_double, [time], var_time)
    ierr = pio_put_att(history, var_time, 'units', 'days since 0001-01-01 00:00:00')
    ierr = pio_def_var(history, 'date', pio_char, [chars, time], var_date)
    ierr = pio_def_var(history, 'T', pio_real, [lon, lat, lev, time], var_t)
    ierr = pio_put_att(history, var_t, '_FillValue', pio_fill_float)
    ierr = pio_put_att(history, var_t, 'long_name', 'Temperature')
    ierr = pio_def_var(history, 'PS', pio_double, [lon, lat, time], var_ps)
    ierr = pio_put_att(history, var_ps, 'valid_range', [0.0, 5000.0])
    call expect_code(pio_enddef(history), 0, 'enddef of the history')
    call put_longitudes(var_lon)
  end subroutine

  ! The I/O root has all of them, each other rank has one element, which is not written. No rank prints a message.
  subroutine put_longitudes(variable)
    type(var_desc_t), intent(in) :: variable
    real, allocatable :: longitudes(:)
    integer :: i
    if (pio_iotask_rank(iosystem) == 0) then
      longitudes = [((i - 1)*30.0, i=1, nlon)]
    else
      longitudes = [-1.0]
    end if
    call expect_code(pio_put_var(history, variable, longitudes), 0, 'longitudes')
  end subroutine

  ! Where the variables are in a history that is there.
  subroutine reopen_history()
    integer :: time, ierr
    call pio_seterrorhandling(iosystem, pio_bcast_error)
    call expect_code(pio_openfile(iosystem, history, pio_iotype_pnetcdf, own_file('history.nc'), pio_write), 0, 'append')
    call pio_seterrorhandling(iosystem, pio_internal_error)
    ierr = pio_inq_varid(history, 'time', var_time)
    ierr = pio_inq_varid(history, 'date', var_date)
    ierr = pio_inq_varid(history, 'T', var_t)
    ierr = pio_inq_varid(history, 'PS', var_ps)
    ierr = pio_inq_dimid(history, 'time', time)
    call expect_code(pio_inq_dimlen(history, time, record), 0, 'records of the history')
  end subroutine

  subroutine write_history()
    integer :: ierr
    character(8) :: date
    record = record + 1
    write (date, '(a, i4.4)') 'day ', step
    call expect_code(pio_put_var(history, var_time, [record], step*0.5), 0, 'time')
    call expect_code(pio_put_var(history, var_date, [1, record], [8, 1], [date]), 0, 'date')
    call pio_setframe(history, var_t, int(record, pio_offset_kind))
    call pio_write_darray(history, var_t, iodesc_3d, t, ierr, fillval=real(pio_fill_float))
    call expect_code(ierr, 0, 'T')
    call pio_setframe(history, var_ps, int(record, pio_offset_kind))
    call pio_write_darray(history, var_ps, iodesc_2d, ps, ierr, fillval=-1.0)
    call expect_code(ierr, 0, 'PS')
    if (mod(record, 2) == 0) call pio_syncfile(history)
  end subroutine
end module model_history

module model_restart
  use model_state
  implicit none
  type(file_desc_t) :: restart
  type(var_desc_t) :: var_t, var_ps, var_step

contains

  subroutine write_restart()
    integer :: dims(3), ierr
    call expect_code(pio_createfile(iosystem, restart, usual_iotype(pio_iotype_netcdf), own_file('restart.nc'), &
                                    pio_64bit_data), 0, &
                     'restart')
    ierr = pio_def_dim(restart, 'lon', nlon, dims(1))
    ierr = pio_def_dim(restart, 'lat', nlat, dims(2))
    ierr = pio_def_dim(restart, 'lev', nlev, dims(3))
    ierr = pio_def_var(restart, 'step', pio_int, var_step)
    ierr = pio_def_var(restart, 'T', pio_double, dims, var_t)
    ierr = pio_def_var(restart, 'PS', pio_double, dims(1:2), var_ps)
    ierr = pio_enddef(restart)
    call expect_code(pio_put_var(restart, var_step, step), 0, 'step')
    call pio_setframe(restart, var_t, -1_pio_offset_kind)
    call pio_write_darray(restart, var_t, iodesc_3d, t, ierr)
    call expect_code(ierr, 0, 'T of the restart')
    call pio_write_darray(restart, var_ps, iodesc_2d, ps, ierr)
    call expect_code(ierr, 0, 'PS of the restart')
    call pio_closefile(restart)
  end subroutine

  subroutine read_restart()
    integer :: ierr
    call expect_code(pio_openfile(iosystem, restart, pio_iotype_pnetcdf, own_file('restart.nc')), 0, 'open the restart')
    call expect_code(pio_inq_varid(restart, 'step', var_step), 0, 'step')
    call expect_code(pio_inq_varid(restart, 'T', var_t), 0, 'T')
    call expect_code(pio_inq_varid(restart, 'PS', var_ps), 0, 'PS')
    call expect_code(pio_get_var(restart, var_step, step), 0, 'the step')
    t = -7
    ps = -7
    call pio_read_darray(restart, var_t, iodesc_3d, t, ierr)
    call expect_code(ierr, 0, 'read T')
    call pio_read_darray(restart, var_ps, iodesc_2d, ps, ierr)
    call expect_code(ierr, 0, 'read PS')
    call pio_closefile(restart)
    call expect(all(merge(abs(t - reshape(temperature(deep, step), shape(t))) < 1e-3, t == -7.0, &
                          reshape(deep, shape(t)) > 0)), 'T as it was')
    call expect(all(merge(abs(ps - temperature(flat, step)/2) < 1e-3, ps == -7.0, flat > 0)), 'PS as it was')
  end subroutine
end module model_restart

program model
  use expectations, only: rank, ranks, start, finish, world
  use model_history, only: create_history, reopen_history, write_history, history
  use model_restart, only: write_restart, read_restart
  use model_state
  implicit none
  integer :: i, ierr
  call start()
  ! The first run.
  call pio_init(rank, world, max(ranks/2, 1), 0, merge(2, 1, ranks > 1), pio_rearr_subset, iosystem, &
                base=min(1, ranks - 1))
  call initialise()
  call create_history()
  do i = 1, 3
    call advance()
    call write_history()
  end do
  call write_restart()
  call pio_closefile(history)
  ! The second one.
  step = 0
  call read_restart()
  call reopen_history()
  call write_history()
  do i = 1, 2
    call advance()
    call write_history()
  end do
  call pio_freedecomp(iosystem, iodesc_2d)
  call pio_freedecomp(history, iodesc_3d)
  call pio_closefile(history)
  call pio_finalize(iosystem, ierr)
  call finish()
end program model
