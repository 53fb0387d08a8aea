! Arguments that the modules cannot pass on: too short arrays, ids that are none. All ranks make such a call, or one does;
! no rank waits for ever, the next calls work, and the file holds what else was written.
program refusals
  use expectations
  use pio
  use pio_nf_utils, only: copy_pio_var
  implicit none
  type(iosystem_desc_t), target :: system
  type(file_desc_t) :: file
  type(var_desc_t) :: vdesc, none
  integer :: x, y, ierr
  integer, parameter :: cells(4, 3) = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [4, 3])
  call start()
  call pio_init(rank, world, max(ranks/2, 1), 0, 1, pio_rearr_box, system)
  call pio_seterrorhandling(system, pio_bcast_error)
  none%varid = 0
  call expect_code(pio_createfile(system, file, usual_iotype(pio_iotype_pnetcdf), own_file('refusals.nc')), 0, 'createfile')
  call expect_code(pio_def_dim(file, 'x', 4, x), 0, 'def_dim')
  call expect_code(pio_def_dim(file, 'y', 3, y), 0, 'def_dim')
  call expect_code(pio_def_var(file, 'v', pio_int, [x, y], vdesc), 0, 'def_var')
  call expect_code(pio_enddef(file), 0, 'enddef')
  call on_all_ranks()
  call on_one_rank()
  call copies()
  call decompositions()
  call names_of_files()
  call pio_closefile(file)
  call expect_code(pio_openfile(system, file, pio_iotype_netcdf, own_file('refusals.nc')), 0, 'openfile')
  call holds_cells('at the end')
  call pio_closefile(file)
  call in_define_mode()
  call pio_finalize(system, ierr)
  call finish()

contains

  subroutine holds_cells(when)
    character(*), intent(in) :: when
    integer :: found(4, 3)
    found = 0
    call expect_code(pio_get_var(file, vdesc, found), 0, 'get_var '//when)
    call expect(all(found == cells), 'the values '//when)
  end subroutine

  ! A put is an error with one I/O type for classic files; with the other one it waits.
  subroutine in_define_mode()
    integer :: types(2), n, found(3)
    types = [pio_iotype_netcdf, pio_iotype_pnetcdf]
    do n = 1, 2
      call expect_code(pio_createfile(system, file, types(n), own_file('defining.nc')), 0, 'createfile')
      call expect_code(pio_def_dim(file, 'x', 3, x), 0, 'def_dim')
      call expect_code(pio_def_var(file, 'v', pio_int, [x], vdesc), 0, 'def_var')
      call expect_code(pio_put_var(file, vdesc, [3*n, 2, 1]), merge(-39, 0, n == 1), 'put_var in define mode')
      call expect_code(pio_get_var(file, vdesc, found), -39, 'get_var in define mode')
      call expect_code(pio_enddef(file), 0, 'enddef after a put')
      if (n == 1) call expect_code(pio_put_var(file, vdesc, [3*n, 2, 1]), 0, 'put_var in data mode')
      call expect_code(pio_get_var(file, vdesc, found), 0, 'get_var in data mode')
      call expect(all(found == [3*n, 2, 1]), 'values that were put in define mode or after it')
      call pio_closefile(file, ierr)
      call expect_code(ierr, 0, 'closefile after a put that was refused')
    end do
  end subroutine

  subroutine on_all_ranks()
    integer :: few(2, 3), length
    real :: wide(4, 3)
    few = -1
    call expect_code(pio_put_var(file, vdesc, cells), 0, 'put_var')
    call expect(pio_put_var(file, vdesc, [1, 1], [4, 3], few) /= 0, 'a part with too few values')
    call expect(pio_put_var(file, vdesc, [1], [4], few) /= 0, 'a short start')
    call expect(pio_put_var(file, vdesc, [1], 5) /= 0, 'a short index')
    call expect(pio_put_var(file, vdesc, [1, 1], [4, 9], wide) /= 0, 'a part that is too large')
    call expect(pio_put_var(file, vdesc, [0, 1], [1, 1], few) /= 0, 'a start of 0')
    call expect_code(pio_put_var(file, none, cells), -501, 'the variable 0')
    call expect(pio_put_var(file, 99, cells) /= 0, 'a variable that is not there')
    call pio_syncfile(file, ierr)
    call expect(pio_get_var(file, vdesc, few) /= 0, 'get_var into a short array')
    call expect(all(few == -1), 'a short array')
    call expect(pio_get_var(file, vdesc, [1, 1], [4, 3], few) /= 0, 'get_var of a part into a short array')
    call expect(pio_get_var(file, vdesc, [1], length) /= 0, 'get_var with a short index')
    call holds_cells('after calls that were refused')
    call expect_code(pio_put_var(file, vdesc, few), 0, 'put_var of a short array')
    few = -2
    call pio_syncfile(file, ierr)
    call expect_code(pio_get_var(file, vdesc, [1, 1], [2, 3], few), 0, 'get_var')
    call expect(all(few(:, 2) == [-1, -1] .and. few(:, 3) == [0, 0]), 'zeros behind a short array')
    call expect_code(pio_put_var(file, vdesc, cells), 0, 'put_var')
    call pio_syncfile(file, ierr)
    call expect_code(ierr, 0, 'syncfile')
  end subroutine

  ! Communicating calls fail on all ranks at once; the others on the wrong rank, and on all at the next of those.
  subroutine on_one_rank()
    integer :: found(4, 3), last
    last = 3
    if (rank == ranks - 1) last = 2
    ierr = pio_put_var(file, vdesc, [1, 1], [4, 3], cells(:, 1:last))
    call expect((ierr /= 0) .eqv. (last == 2), 'put_var of a short array on one rank')
    call pio_syncfile(file, ierr)
    call expect(ierr /= 0 .or. ranks == 1, 'syncfile after put_var of a short array on one rank')
    call pio_syncfile(file, ierr)
    call expect_code(ierr, 0, 'syncfile')
    call expect(pio_get_var(file, vdesc, found(:, 1:last)) /= 0, 'get_var into a short array on one rank')
    call ids_below_1(merge(0, vdesc%varid, rank == ranks - 1))
    call holds_cells('after calls that one rank made wrongly')
  end subroutine

  ! All ranks get the code of the rank whose variable has no id.
  subroutine ids_below_1(varid)
    integer, intent(in) :: varid
    type(var_desc_t) :: variable
    type(io_desc_t) :: iodesc
    character(4) :: texts(3)
    integer :: found(4, 3), element, code
    variable%varid = varid
    call expect_code(pio_get_var(file, varid, found), -501, 'get_var of the variable 0 on one rank')
    call expect_code(pio_get_var(file, variable, [1, 1], [4, 3], found), -501, 'get_var of a part of it')
    call expect_code(pio_get_var(file, variable, [1, 1], element), -501, 'get_var of an element of it')
    call pio_initdecomp(system, pio_int, [4, 3], [0], iodesc)
    call pio_read_darray(file, variable, iodesc, found, code)
    call expect_code(code, -501, 'read_darray of it')
    call pio_freedecomp(system, iodesc)
    variable%varid = 0  ! on all ranks, which have no variable of texts
    call expect_code(pio_get_var(file, variable, texts), -501, 'get_var of texts')
    call expect_code(pio_get_var(file, variable, [1, 1], [4, 3], texts), -501, 'get_var of a part of texts')
    call expect_code(pio_get_var(file, variable, [1, 1], texts(1)), -501, 'get_var of a text at a place')
    call expect_code(pio_put_var(file, varid, cells), merge(-501, 0, varid == 0), 'put_var of the variable 0 on one rank')
    call pio_syncfile(file, code)
    call expect_code(code, merge(0, -501, ranks == 1), 'syncfile after put_var of the variable 0')
    call pio_syncfile(file, code)
    call expect_code(code, 0, 'syncfile')
  end subroutine

  ! All ranks read; the writes are told to all at the next synchronisation.
  subroutine copies()
    type(file_desc_t) :: other
    type(var_desc_t) :: to, texts, variable
    integer :: dims(2), found(4, 3)
    call expect_code(pio_createfile(system, other, usual_iotype(pio_iotype_pnetcdf), own_file('copies.nc')), 0, 'createfile')
    call expect_code(pio_def_dim(other, 'x', 4, dims(1)), 0, 'def_dim')
    call expect_code(pio_def_dim(other, 'y', 3, dims(2)), 0, 'def_dim')
    call expect_code(pio_def_var(other, 'v', pio_int, dims, to), 0, 'def_var')
    call expect_code(pio_def_var(other, 'texts', pio_char, dims, texts), 0, 'def_var')
    call expect_code(pio_enddef(other), 0, 'enddef')
    variable = vdesc
    if (rank == ranks - 1) variable%varid = 99
    call copy_pio_var(file, other, variable, to, 12, ierr=ierr)
    call expect_code(ierr, -49, 'copy_pio_var from a variable that is not there on one rank')
    if (rank == ranks - 1) variable%varid = 0
    call copy_pio_var(file, other, variable, to, 12, ierr=ierr)
    call expect_code(ierr, -501, 'copy_pio_var from the variable 0 on one rank')
    variable = to
    if (rank == ranks - 1) variable%varid = 99
    call copy_pio_var(file, other, vdesc, variable, [4, 3], ierr)
    call expect_code(ierr, merge(-49, 0, rank == ranks - 1), 'copy_pio_var to a variable that is not there on one rank')
    call pio_syncfile(other, ierr)
    call expect_code(ierr, merge(0, -49, ranks == 1), 'syncfile after copy_pio_var to a variable that is not there')
    variable = to
    if (rank == 0) variable = texts
    call copy_pio_var(file, other, vdesc, variable, 12, ierr=ierr)
    call expect_code(ierr, merge(-45, 0, rank == 0), 'copy_pio_var to another type on one rank')
    call pio_syncfile(other, ierr)
    call expect((ierr == 0) .eqv. ranks == 1, 'syncfile after copy_pio_var to another type')
    call copy_pio_var(file, other, vdesc, to, [4, 3], ierr)
    call expect_code(ierr, 0, 'copy_pio_var')
    found = 0
    call expect_code(pio_get_var(other, to, found), 0, 'get_var of a copy')
    call expect(all(found == cells), 'a copy')
    call pio_closefile(other, ierr)
    call expect_code(ierr, 0, 'closefile')
  end subroutine

  subroutine decompositions()
    type(io_desc_t) :: iodesc
    integer(pio_offset_kind) :: first(2), extent(2)
    integer :: code, values(3)
    first = 1
    values = 0
    extent = 1
    call pio_initdecomp(system, pio_int, [4, 3], first(1:1), extent, iodesc, ierr=code)
    call expect(code /= 0 .and. iodesc%ioid == -1, 'a block with a short start')
    call pio_initdecomp(system, pio_int, [4, 3], [1], iodesc, iostart=first(1:1), iocount=extent, ierr=code)
    call expect(code /= 0 .and. iodesc%ioid == -1, 'a map with a short iostart')
    call pio_initdecomp(system, pio_int, [4, 0], [1], iodesc, ierr=code)
    call expect(code /= 0, 'an extent of 0')
    call pio_initdecomp(system, pio_int, [4, 3], [13], iodesc, ierr=code)
    call expect(code /= 0, 'a map outside of the array')
    call pio_initdecomp(system, 99, [4, 3], [1], iodesc, ierr=code)
    call expect(code /= 0, 'a type that there is not')
    iodesc%ioid = 1
    call pio_freedecomp(system, iodesc, code)
    call expect(code /= 0, 'freedecomp of what is not there')
    call pio_write_darray(file, vdesc, iodesc, [1], code)
    call expect(code /= 0, 'write_darray without a decomposition')
    call pio_read_darray(file, vdesc, iodesc, values, code)
    call expect(code /= 0, 'read_darray without a decomposition')
    call pio_syncfile(file, code)
    call pio_syncfile(file, code)
    call expect_code(code, 0, 'syncfile')
  end subroutine

  ! An empty name on one rank has the same code on all of them.
  subroutine names_of_files()
    type(file_desc_t) :: other
    character(:), allocatable :: name
    integer, pointer :: extents(:), map(:)
    integer :: code, ndims
    call pio_seterrorhandling(pio_default, pio_return_error)
    name = own_file('refusals.nc')
    if (rank == ranks - 1) name = ' '
    call expect_code(pio_createfile(system, other, usual_iotype(pio_iotype_pnetcdf), name), -501, 'createfile without a name')
    call expect_code(pio_openfile(system, other, pio_iotype_netcdf, name), -501, 'openfile without a name')
    call pio_deletefile(system, name, code)
    call expect_code(code, -501, 'deletefile without a name')
    call pio_readdof(name, ndims, extents, map, world, code)
    call expect_code(code, -501, 'readdof without a name')
    call pio_writedof(name, [4, 3], [1], world, code)
    call expect_code(code, -501, 'writedof without a name')
    call pio_seterrorhandling(pio_default, pio_internal_error)
  end subroutine
end program refusals
