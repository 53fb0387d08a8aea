! The calls of pio_calls.h through the Fortran modules of the PIO interface. Decompositions and variables are named by
! their numbers in arrays of descriptors, as a model keeps them.
module bench_pio_calls
  use, intrinsic :: iso_c_binding
  use pio
  implicit none
  private

  integer, parameter :: most = 4096
  type(iosystem_desc_t), target, save :: system
  type(file_desc_t), save :: file
  type(io_desc_t), save :: decomps(most)
  type(var_desc_t), save :: variables(most)
  integer, save :: decomp_count = 0

  interface
    pure integer(c_size_t) function c_strlen(text) bind(C, name='strlen')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  subroutine check(code, call)
    integer, intent(in) :: code
    character(*), intent(in) :: call
    character(pio_max_name) :: text
    integer :: ierr
    if (code == pio_noerr) return
    ierr = pio_strerror(code, text)
    print '(4a)', 'pio_scattered_fortran: ', call, ': ', trim(text)
    error stop 1
  end subroutine

  function text_of(c_text) result(text)
    type(c_ptr), intent(in) :: c_text
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(c_text, letters, [c_strlen(c_text)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  subroutine start(comm, rank, io_ranks, stride) bind(C, name='calls_start')
    integer(c_int), value :: comm, rank, io_ranks, stride
    call pio_init(rank, comm, io_ranks, 0, stride, pio_rearr_box, system, base=0)
    call pio_seterrorhandling(system, pio_bcast_error)
  end subroutine

  subroutine initdecomp(type, ndims, dims, length, map, decomp) bind(C, name='calls_initdecomp')
    integer(c_int), value :: type, ndims
    integer(c_int), intent(in) :: dims(ndims)
    integer(c_int64_t), value :: length
    integer(c_int64_t), intent(in) :: map(length)
    integer(c_int), intent(out) :: decomp
    integer :: code
    decomp_count = decomp_count + 1
    decomp = decomp_count
    call pio_initdecomp(system, type, dims(ndims:1:-1), map, decomps(decomp), ierr=code)
    call check(code, 'pio_initdecomp')
  end subroutine

  subroutine create(iotype, path) bind(C, name='calls_create')
    integer(c_int), value :: iotype
    type(c_ptr), value :: path
    call check(pio_createfile(system, file, iotype, text_of(path), ior(pio_clobber, pio_64bit_data)), 'pio_createfile')
  end subroutine

  subroutine open_file(iotype, path) bind(C, name='calls_open')
    integer(c_int), value :: iotype
    type(c_ptr), value :: path
    call check(pio_openfile(system, file, iotype, text_of(path), pio_nowrite), 'pio_openfile')
  end subroutine

  subroutine def_dim(name, length, dimid) bind(C, name='calls_def_dim')
    type(c_ptr), value :: name
    integer(c_int64_t), value :: length
    integer(c_int), intent(out) :: dimid
    call check(pio_def_dim(file, text_of(name), length, dimid), 'pio_def_dim')
  end subroutine

  subroutine def_var(name, type, ndims, dimids, varid) bind(C, name='calls_def_var')
    type(c_ptr), value :: name
    integer(c_int), value :: type, ndims
    integer(c_int), intent(in) :: dimids(ndims)
    integer(c_int), intent(out) :: varid
    type(var_desc_t) :: variable
    call check(pio_def_var(file, text_of(name), type, dimids(ndims:1:-1), variable), 'pio_def_var')
    varid = variable%varid
    variables(varid) = variable
  end subroutine

  subroutine def_var_deflate(varid, level) bind(C, name='calls_def_var_deflate')
    integer(c_int), value :: varid, level
    call check(pio_def_var_deflate(file, variables(varid), 0, 1, level), 'pio_def_var_deflate')
  end subroutine

  subroutine enddef() bind(C, name='calls_enddef')
    call check(pio_enddef(file), 'pio_enddef')
  end subroutine

  subroutine inq_varid(name, varid) bind(C, name='calls_inq_varid')
    type(c_ptr), value :: name
    integer(c_int), intent(out) :: varid
    type(var_desc_t) :: variable
    call check(pio_inq_varid(file, text_of(name), variable), 'pio_inq_varid')
    varid = variable%varid
    variables(varid) = variable
  end subroutine

  subroutine setframe(varid, frame) bind(C, name='calls_setframe')
    integer(c_int), value :: varid, frame
    call pio_setframe(file, variables(varid), int(frame + 1, pio_offset_kind))
  end subroutine

  subroutine write_darray(varid, decomp, type, length, array, fill) bind(C, name='calls_write_darray')
    integer(c_int), value :: varid, decomp, type
    integer(c_int64_t), value :: length
    type(c_ptr), value :: array
    real(c_double), value :: fill
    real(c_float), pointer :: singles(:)
    real(c_double), pointer :: doubles(:)
    integer :: code
    if (type == pio_real) then
      call c_f_pointer(array, singles, [length])
      call pio_write_darray(file, variables(varid), decomps(decomp), singles, code, fillval=real(fill, c_float))
    else
      call c_f_pointer(array, doubles, [length])
      call pio_write_darray(file, variables(varid), decomps(decomp), doubles, code, fillval=fill)
    end if
    call check(code, 'pio_write_darray')
  end subroutine

  subroutine read_darray(varid, decomp, type, length, array) bind(C, name='calls_read_darray')
    integer(c_int), value :: varid, decomp, type
    integer(c_int64_t), value :: length
    type(c_ptr), value :: array
    real(c_float), pointer :: singles(:)
    real(c_double), pointer :: doubles(:)
    integer :: code
    if (type == pio_real) then
      call c_f_pointer(array, singles, [length])
      call pio_read_darray(file, variables(varid), decomps(decomp), singles, code)
    else
      call c_f_pointer(array, doubles, [length])
      call pio_read_darray(file, variables(varid), decomps(decomp), doubles, code)
    end if
    call check(code, 'pio_read_darray')
  end subroutine

  subroutine sync() bind(C, name='calls_sync')
    call pio_syncfile(file)
  end subroutine

  subroutine close_file() bind(C, name='calls_close')
    call pio_closefile(file)
  end subroutine

  subroutine freedecomp(decomp) bind(C, name='calls_freedecomp')
    integer(c_int), value :: decomp
    integer :: code
    call pio_freedecomp(system, decomps(decomp), code)
    call check(code, 'pio_freedecomp')
  end subroutine

  subroutine finalize() bind(C, name='calls_finalize')
    integer :: code
    call pio_finalize(system, code)
    call check(code, 'pio_finalize')
  end subroutine
end module bench_pio_calls
