! I/O systems, settings, error handlers, and the state of descriptors.
program systems
  use expectations
  use pio
  use pio_types, only: pio_einternal
  implicit none
  type(iosystem_desc_t), target :: system, never
  integer :: ierr, n
  call start()
  call maps()
  call making()
  call maps()
  call settings()
  call handlers()
  call files()
  call pio_finalize(system, ierr)
  call expect_code(ierr, 0, 'finalize')
  call expect(system%iosysid == -1, 'a finalised system has no id')
  call pio_finalize(system, ierr)
  call expect_code(ierr, 0, 'finalize again')
  call pio_finalize(never, ierr)
  call expect_code(ierr, 0, 'finalize of a system that was never made')
  call beside_io()
  call finish()

contains

  ! The last rank does I/O alone: it returns when the I/O system of the others has ended.
  subroutine beside_io()
    include 'mpif.h'
    type(iosystem_desc_t), target :: component(1)
    integer :: comm, comp_comms(1), io_comm
    logical :: computes, used
    if (ranks < 2) return
    computes = rank < ranks - 1
    call MPI_Comm_split(world, merge(1, 0, computes), rank, comm, ierr)
    comp_comms = merge(comm, MPI_COMM_NULL, computes)
    io_comm = merge(MPI_COMM_NULL, comm, computes)
    call pio_seterrorhandling(pio_default, pio_bcast_error)
    call pio_init(component, world, comp_comms, io_comm, pio_rearr_any, ierr)
    call expect_code(ierr, -36, 'a rearranger that ranks for I/O do not have')
    call pio_init(1, world, comp_comms, io_comm, component, ierr=ierr)
    call expect_code(ierr, 0, 'init of a component')
    call expect(component(1)%iosysid >= 2048 .eqv. computes, 'the id of a component')
    if (computes) then
      call expect(pio_iotask_rank(component(1)) == -1, 'a computing rank does no I/O')
      call put_a_file(component(1))
    else
      inquire (file=own_file('beside_io.nc'), exist=used)
      call expect(used, 'the rank for I/O has returned before the file was written')
    end if
    call pio_finalize(component(1), ierr)
    call expect_code(ierr, 0, 'finalize of a component')
    call pio_seterrorhandling(pio_default, pio_internal_error)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine put_a_file(component)
    type(iosystem_desc_t), target, intent(in) :: component
    type(file_desc_t) :: file
    type(var_desc_t) :: v
    integer :: value
    call expect_code(pio_createfile(component, file, pio_iotype_pnetcdf, own_file('beside_io.nc')), 0, 'createfile')
    call expect_code(pio_def_var(file, 'v', pio_int, v), 0, 'def_var')
    call expect_code(pio_enddef(file), 0, 'enddef')
    call expect_code(pio_put_var(file, v, 7), 0, 'put_var')
    call expect_code(pio_get_var(file, v, value), 0, 'get_var')
    call expect(value == 7, 'a value of a component')
    call pio_closefile(file)
  end subroutine

  subroutine making()
    type(pio_rearr_opt_t) :: options
    logical :: active
    call expect(system%iosysid == -1, 'a system has no id at first')
    options%comm_type = pio_rearr_comm_p2p
    options%fcd = pio_rearr_comm_fc_2d_enable
    options%comm_fc_opts_comp2io = pio_rearr_comm_fc_opt_t(.true., .true., 64)
    options%comm_fc_opts_io2comp = pio_rearr_comm_fc_opt_t(.true., .false., pio_rearr_comm_unlimited_pend_req)
    call pio_init(rank, world, 1, 0, 1, pio_rearr_subset, system, base=ranks - 1, rearr_opts=options, ierr=ierr)
    call expect_code(ierr, 0, 'init')
    call expect(system%iosysid >= 2048, 'the id of a system')
    call pio_iosystem_is_active(system, active, ierr)
    call expect(active .and. ierr == 0, 'iosystem_is_active')
    call pio_iosystem_is_active(never, active)
    call expect(.not. active, 'a system that was never made')
    call expect(pio_iam_iotask(system) .eqv. rank == ranks - 1, 'iam_iotask')
    call expect(pio_iotask_rank(system, ierr) == merge(0, -1, rank == ranks - 1), 'iotask_rank')
    call pio_getnumiotasks(system, n)
    call expect(n == 1, 'getnumiotasks')
    call pio_get_numiotasks(iosys=system, niotasks=n, ierr=ierr)
    call expect(n == 1 .and. ierr == 0, 'get_numiotasks')
  end subroutine

  ! The extents are in the order of Fortran, as in files of models, also before a system is made.
  subroutine maps()
    integer, pointer :: extents(:), map(:)
    character(100) :: line
    integer :: unit
    call pio_writedof(own_file('map.dat'), [3, 5, ranks], [(15*rank + n, n=1, 15)], world, ierr=ierr)
    call expect_code(ierr, 0, 'writedof')
    open (newunit=unit, file=own_file('map.dat'), action='read')
    read (unit, '(/, a)') line
    close (unit)
    call expect(line(:4) == '3 5 ', 'the extents in a file of maps')
    call pio_readdof(own_file('map.dat'), n, extents, map, world, ierr)
    call expect_code(ierr, 0, 'readdof')
    call expect(n == 3 .and. all(extents == [3, 5, ranks]) .and. map(15) == 15*rank + 15, 'maps from a file')
    deallocate (extents, map)
  end subroutine

  subroutine settings()
    integer(pio_offset_kind) :: before
    character(100) :: text
    integer :: major, minor, patch
    call pio_set_hint(system, 'cb_nodes ', '1', ierr)
    call expect_code(ierr, 0, 'set_hint')
    call pio_set_blocksize(2048, ierr)
    call expect_code(ierr, 0, 'set_blocksize')
    call pio_seterrorhandling(pio_default, pio_bcast_error)
    call pio_set_blocksize(0, ierr)
    call expect_code(ierr, -36, 'set_blocksize of 0')
    call pio_seterrorhandling(pio_default, pio_internal_error)
    call pio_set_buffer_size_limit(1000000_pio_offset_kind, prev_limit=before)
    call expect(before == 67108864, 'the limit of the buffer')
    call pio_set_buffer_size_limit(before)
    call expect_code(pio_set_rearr_opts(system, pio_rearr_comm_coll, pio_rearr_comm_fc_2d_disable, .true., .false., 64, &
                                        .true., .false., 64), 0, 'set_rearr_opts')
    call expect(pio_iotype_available(pio_iotype_pnetcdf) .and. pio_iotype_available(iotype_netcdf), 'iotype_available')
    call expect(.not. pio_iotype_available(99), 'an I/O type that there is not')
    call pio_setdebuglevel(0, ierr)
    call expect_code(ierr, 0, 'setdebuglevel')
    call expect_code(pio_set_log_level(0), 0, 'set_log_level')
    call expect_code(pio_strerror(0, text), 0, 'strerror')
    call expect(text == 'No error', 'the text of no error')
    call expect_code(pio_get_version(major, minor, patch, text), 0, 'get_version')
    call expect(major == pio_get_version_major() .and. minor == pio_get_version_minor() .and. &
                patch == pio_get_version_patch(), 'the version')
    call expect_code(pio_get_version(vstr=text), 0, 'the version as a text')
    call expect_code(pio_get_version_string(text), 0, 'get_version_string')
    call expect_code(pio_get_version_hash(text), 0, 'get_version_hash')
  end subroutine

  subroutine handlers()
    integer :: before
    call pio_seterrorhandling(pio_default, pio_internal_error, before, ierr)
    call expect(before == pio_internal_error .and. ierr == 0, 'the handler of new systems')
    call pio_seterrorhandling(system, pio_bcast_error, before)
    call expect(before == pio_internal_error, 'the handler at first')
    call pio_seterrorhandling(iosysid=system%iosysid, eh=pio_return_error, old_eh=before)
    call expect(before == pio_bcast_error, 'the handler before')
    call pio_seterrorhandling(system, 77, ierr=ierr)
    call expect_code(ierr, -36, 'a handler that there is not')
    call pio_seterrorhandling(never, pio_bcast_error, ierr=ierr)
    call expect_code(ierr, -33, 'the handler of a system that was never made')
    call pio_seterrorhandling(pio_default, pio_bcast_error, before)
    call expect(before == pio_internal_error, 'the handler of new systems has not changed')
    call io_ranks_apart()
    call pio_seterrorhandling(pio_default, pio_internal_error)
    call pio_seterrorhandling(system, pio_bcast_error)
  end subroutine

  ! There are no I/O ranks of their own: all ranks get a code.
  subroutine io_ranks_apart()
    type(iosystem_desc_t) :: components(1)
    call pio_init(1, world, [world], world, components, pio_rearr_box, ierr)
    call expect(ierr /= 0 .and. components(1)%iosysid == -1, 'init of components')
    call pio_init(iosys=components, peer_comm=world, comp_comms=[world], io_comm=world, rearr=pio_rearr_box, ierr=ierr)
    call expect(ierr /= 0 .and. components(1)%iosysid == -1, 'init of systems')
  end subroutine

  subroutine files()
    type(file_desc_t) :: file, same
    integer :: before
    file%fh = -1
    call expect(.not. pio_file_is_open(file), 'a file that was never opened')
    call expect(pio_openfile(system, file, pio_iotype_pnetcdf, own_file('there_is_none.nc')) /= 0, 'openfile')
    call expect(associated(file%iosystem, system), 'the system of a file that could not be opened')
    call pio_seterrorhandling(file, pio_return_error, before)
    call expect(before == pio_bcast_error, 'the handler of a file that could not be opened')
    call pio_seterrorhandling(file=file, eh=before)
    call expect(.not. pio_file_is_open(file), 'a file that could not be opened')
    call expect_code(pio_createfile(system, file, 99, own_file('systems.nc')), -500, 'an I/O type that there is not')
    call expect_code(pio_createfile(system, file, pio_iotype_pnetcdf, ' '), pio_einternal, 'a file without a name')

    call expect_code(pio_createfile(system, file, pio_iotype_pnetcdf, own_file('systems.nc ')), 0, 'createfile')
    call expect(file%fh >= 16 .and. associated(file%iosystem, system), 'the descriptor of a file')
    same = file
    call pio_closefile(file, ierr)
    call expect_code(ierr, 0, 'closefile')
    call expect(file%fh == same%fh .and. .not. associated(file%iosystem), 'the descriptor of a closed file')
    call pio_seterrorhandling(file, pio_return_error, before, ierr)
    call expect(before == pio_bcast_error .and. ierr == 0, 'the handler of a closed file')
    call pio_seterrorhandling(file, before)
    call by_class(file)
    call expect_code(pio_createfile(iosys=system, file=file, iotype=pio_iotype_netcdf, fname=own_file('systems.nc'), &
                                    mode=pio_noclobber), -35, 'createfile of a file that is there')
    call pio_deletefile(system, own_file('systems.nc'), ierr)
    call expect_code(ierr, 0, 'deletefile')
    call expect(pio_openfile(system, file, pio_iotype_pnetcdf, own_file('systems.nc')) /= 0, 'a deleted file')
  end subroutine

  ! As land and ocean models pass files.
  subroutine by_class(file)
    class(file_desc_t), intent(inout) :: file
    type(var_desc_t) :: variable
    integer :: unlimited
    call expect_code(pio_openfile(iosys=system, file=file, iotype=pio_iotype_netcdf, fname=own_file('systems.nc'), &
                                  mode=pio_write), 0, 'openfile')
    call expect_code(pio_redef(file), 0, 'redef')
    call expect_code(pio_def_var(file, 'v', pio_int, variable), 0, 'def_var')
    call expect_code(pio_enddef(file), 0, 'enddef')
    call expect_code(pio_inquire(file, unlimitedDimID=unlimited), 0, 'inquire')
    call expect(unlimited == -1, 'no unlimited dimension')
    call expect_code(pio_put_var(file, variable, 7), 0, 'put_var')
    call pio_syncfile(file, ierr)
    call expect_code(ierr, 0, 'syncfile')
    call pio_closefile(file)
  end subroutine
end program systems
