! As the tests of a user: what the procedures return, on each rank, for each I/O type that creates files.
program documented
  use expectations
  use pio
  implicit none
  integer, parameter :: types(6) = [pio_iotype_pnetcdf, pio_iotype_netcdf, pio_iotype_netcdf4c, pio_iotype_netcdf4p, &
                                    pio_iotype_hdf5, pio_iotype_hdf5c]
  type(iosystem_desc_t), target :: system
  type(iosystem_desc_t) :: never
  type(file_desc_t) :: file
  type(var_desc_t) :: v, w, names, series
  integer :: i, x, time, ierr, old
  call start()
  call pio_finalize(never, ierr)
  call expect_code(ierr, 0, 'finalize of no system')
  do i = 1, size(types)
    call pio_init(rank, world, 1, 0, 1, pio_rearr_subset, system, base=ranks - 1)
    call pio_seterrorhandling(system, pio_bcast_error, old)
    call expect(old == pio_internal_error, 'the handler before')
    call define(types(i))
    call inquire_all()
    call texts()
    call numbers()
    call records()
    call end_file(types(i))
    call pio_finalize(system, ierr)
    call expect_code(ierr, 0, 'finalize')
    call expect(system%iosysid == -1, 'the id after finalize')
  end do
  call finish()

contains

  subroutine define(iotype)
    integer, intent(in) :: iotype
    integer :: length, n
    call expect_code(pio_createfile(system, file, iotype, own_file('documented.nc')//'  ', pio_clobber), 0, 'createfile')
    call expect_code(pio_def_dim(file, 'x', 2*ranks, x), 0, 'def_dim')
    call expect(x == 1, 'ids begin with 1')
    call expect_code(pio_def_dim(file, 'time ', pio_unlimited, time), 0, 'def_dim')
    call expect_code(pio_def_dim(file, 'length', 8, length), 0, 'def_dim')
    call expect_code(pio_def_dim(file, 'n', int(3, pio_offset_kind), n), 0, 'def_dim')
    call expect_code(pio_def_var(file, 'v', pio_int, [x, time], v), 0, 'def_var')
    call expect_code(pio_def_var(file, 'w', pio_double, w), 0, 'def_var')
    call expect_code(pio_def_var(file, 'names', pio_char, [length, n], names), 0, 'def_var')
    call expect_code(pio_def_var(file, 'series', pio_int, [time], series), 0, 'def_var')
    call expect_code(pio_put_att(file, pio_global, 'title', 'hello   '), 0, 'put_att')
    call expect_code(pio_put_att(file, v%varid, 'numbers', [1, 2, 3]), 0, 'put_att')
    call expect_code(pio_put_att(file, v, 'texts', ['ab ', 'cde']), 0, 'put_att')
    call expect_code(pio_enddef(file), 0, 'enddef')
  end subroutine

  subroutine inquire_all()
    integer :: dimensions, variables, attributes, unlimited, id, kind, ids(2)
    integer(pio_offset_kind) :: length
    character(20) :: text
    character(4) :: short
    call expect_code(pio_inquire(file, nDimensions=dimensions, nVariables=variables, nAttributes=attributes, &
                                 unlimitedDimID=unlimited), 0, 'inquire')
    call expect(all([dimensions, variables, attributes, unlimited] == [4, 4, 1, time]), 'what the file has')
    call expect_code(pio_inquire_variable(file, v, name=text, dimids=ids, natts=attributes), 0, 'inquire_variable')
    call expect(text == 'v' .and. all(ids == [x, time]) .and. attributes == 2, 'what the variable has')
    call expect_code(pio_inq_att(file, pio_global, 'title', kind, length), 0, 'inq_att')
    call expect(kind == pio_char .and. length == 5, 'a text without its blanks')
    call expect_code(pio_inq_attlen(file, v, 'texts', length), 0, 'inq_attlen')
    call expect(length == 6, 'texts with their blanks')
    text = repeat('x', 20)
    call expect_code(pio_get_att(file, pio_global, 'title', text), 0, 'get_att')
    call expect(text == 'hello', 'a text with blanks behind it')
    call expect_code(pio_get_att(file, pio_global, 'title', short), 0, 'get_att')
    call expect(short == 'hell', 'a text that is cut')
    call expect_code(pio_get_att(file, v, 'none', id), -43, 'get_att of none')
    id = 5
    call expect_code(pio_inq_dimid(file, 'none', id), -46, 'inq_dimid of none')
    call expect(id == -1, 'the dimension that is not there')
    id = 5
    call expect_code(pio_inq_varid(file, 'none', id), -49, 'inq_varid of none')
    call expect(id == -1, 'the variable that is not there')
  end subroutine

  subroutine texts()
    character(8) :: read(3)
    call expect_code(pio_put_var(file, names, ['abc     ', 'de      ', 'fghijklm']), 0, 'put_var')
    call expect_code(pio_put_var(file, names, [1, 2], 'wxy'), 0, 'put_var of one text')
    call expect_code(pio_get_var(file, names, read), 0, 'get_var')
    call expect(all(read == ['abc     ', 'wxy     ', 'fghijklm']), 'texts')
    call expect_code(pio_put_var(file, names, start=[1, 1], cnt=[4, 3], val=['1234', '5678', '90ab']), 0, 'put_var of a part')
    call expect_code(pio_get_var(file, names, read), 0, 'get_var')
    call expect(read(3) == '90abjklm', 'a part of texts')
  end subroutine

  ! Start and count can have more elements than the variable has dimensions.
  subroutine numbers()
    integer :: one, two(2), length
    double precision :: real
    call expect_code(pio_put_var(file, w, 3.5d0), 0, 'put_var of a scalar')
    call expect_code(pio_get_var(file, w, real), 0, 'get_var of a scalar')
    call expect(nint(2*real) == 7, 'a scalar')
    call expect_code(pio_put_var(file, v, [1, 1], 42), 0, 'put_var of an element')
    call expect_code(pio_get_var(file, v, [1, 1], one), 0, 'get_var of an element')
    call expect(one == 42, 'an element')
    call expect_code(pio_put_var(file, v, start=[1, 2, 0, 0, 0], cnt=[2, 1, 0, 0, 0], val=[5, 6]), 0, 'put_var of a part')
    call expect_code(pio_get_var(file, v, start=[1, 2, 0, 0, 0], cnt=[2, 1, 0, 0, 0], val=two), 0, 'get_var of a part')
    call expect(all(two == [5, 6]), 'a part')
    call expect_code(pio_inq_dimlen(file, time, length), 0, 'inq_dimlen')
    call expect(length == 2, 'two records')
  end subroutine

  ! Frames count from 1. A decomposition of all dimensions is of as many records as it has.
  subroutine records()
    type(io_desc_t) :: one, all_of_them, steps
    integer :: map(2), values(2), read(2), four(2, 4), whole(2*ranks, 4), length, k
    integer(pio_offset_kind) :: places(8)
    integer, allocatable :: mine(:)
    map = [2*rank + 1, 2*rank + 2]
    values = 10*map
    call pio_initdecomp(system, pio_int, [2*ranks], map, one)
    call pio_setframe(file, v, int(4, pio_offset_kind))
    call pio_write_darray(file, v, one, values, ierr, fillval=-7)
    call expect_code(ierr, 0, 'write_darray')
    call pio_syncfile(file)
    call expect_code(pio_inq_dimlen(file, time, length), 0, 'inq_dimlen')
    call expect(length == 4, 'four records')
    call pio_read_darray(file, v, one, read, ierr)
    call expect_code(ierr, 0, 'read_darray')
    call expect(all(read == values), 'the fourth record')
    call pio_setframe(file, v, int(-1, pio_offset_kind))
    do k = 0, 3
      places(2*k + 1:2*k + 2) = k*2*ranks + map
    end do
    call pio_initdecomp(system, pio_int, [2*ranks, 4], places, all_of_them)
    four = reshape(int(places), [2, 4])
    call pio_write_darray(file, v, all_of_them, four, ierr)
    call expect_code(ierr, 0, 'write_darray of all records')
    four = 0
    call pio_read_darray(file, v, all_of_them, four, ierr)
    call expect_code(ierr, 0, 'read_darray of all records')
    call expect(all(four == reshape(int(places), [2, 4])), 'the records of this rank')
    call expect_code(pio_get_var(file, v, whole), 0, 'get_var of all records')
    call expect(all(reshape(whole, [8*ranks]) == [(k, k=1, 8*ranks)]), 'all records')
    mine = [(k, k=rank + 1, 6, ranks)]
    call pio_initdecomp(system, pio_int, [6], mine, steps)
    call pio_write_darray(file, series, steps, mine, ierr)
    call expect_code(ierr, 0, 'write_darray of a series')
    call expect_code(pio_inq_dimlen(file, time, length), 0, 'inq_dimlen')
    call pio_freedecomp(file, steps)
    call expect(steps%ioid == -1, 'the id of a decomposition that was freed')
    call pio_freedecomp(system, one)
    call pio_freedecomp(system, all_of_them)
    call expect_code(pio_inq_dimlen(file, time, length), 0, 'inq_dimlen')
    call expect(length == 6, 'six records')
  end subroutine

  subroutine end_file(iotype)
    integer, intent(in) :: iotype
    integer :: id, handle
    handle = file%fh
    call pio_closefile(file)
    call expect(file%fh == handle .and. .not. associated(file%iosystem), 'what is left of a file')
    call expect(.not. pio_file_is_open(file), 'a closed file')
    call pio_seterrorhandling(file, pio_bcast_error)
    call expect_code(pio_openfile(system, file, iotype, own_file('documented.nc')), 0, 'openfile')
    call expect_code(pio_put_att(file, pio_global, 'a', 1), -37, 'put_att in a file that is read')
    call expect_code(pio_def_dim(file, 'a', 1, id), -37, 'def_dim in a file that is read')
    call expect_code(pio_redef(file), -37, 'redef of a file that is read')
    call pio_closefile(file)
    call pio_deletefile(system, own_file('documented.nc'), ierr)
    call expect_code(ierr, 0, 'deletefile')
    call expect(pio_openfile(system, file, iotype, own_file('documented.nc')) /= 0, 'openfile of none')
    call pio_seterrorhandling(file, pio_bcast_error)
    call expect(.not. pio_file_is_open(file), 'a file that is not there')
  end subroutine

end program
