! The C interface through bind(C): the communicator as Fortran has it, the access as a type of the same layout.
module scorpio_c
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: scorpio_int32 = 5, scorpio_float64 = 10, scorpio_read = 0
  integer(c_int), parameter :: scorpio_format_default = 0
  integer(c_int), parameter :: scorpio_each_rank = 0, scorpio_all_ranks = 1

  type, bind(C) :: scorpio_access
    integer(c_int) :: variable
    type(c_ptr) :: decomp = c_null_ptr
    integer(c_int64_t) :: record = 0
    type(c_ptr) :: fill = c_null_ptr
    integer(c_int64_t) :: n = 1
    type(c_ptr) :: start = c_null_ptr, count = c_null_ptr, stride = c_null_ptr
    integer(c_int) :: sharing = scorpio_each_rank, root = 0
    integer(c_int) :: type = 0
    type(c_ptr) :: data = c_null_ptr, offset = c_null_ptr, map = c_null_ptr
  end type

  interface
    integer(c_int) function scorpio_iosystem_create_f(comm, options, iosystem) bind(C)
      import :: c_int, c_ptr
      integer(c_int), value :: comm
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: iosystem
    end function
    integer(c_int) function scorpio_iosystem_free(iosystem) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: iosystem
    end function
    integer(c_int) function scorpio_file_create(iosystem, path, format, options, file) bind(C)
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: iosystem, options
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: format
      type(c_ptr), intent(out) :: file
    end function
    integer(c_int) function scorpio_file_close(file) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: file
    end function
    integer(c_int) function scorpio_variable_define(file, path, type, ndims, dims, variable) bind(C)
      import :: c_int, c_ptr, c_char, c_int64_t
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: type, ndims
      integer(c_int64_t), intent(in) :: dims(*)
      integer(c_int), intent(out) :: variable
    end function
    integer(c_int) function scorpio_put(file, access) bind(C)
      import :: c_int, c_ptr, scorpio_access
      type(c_ptr), value :: file
      type(scorpio_access), intent(in) :: access
    end function
    integer(c_int) function scorpio_get(file, access) bind(C)
      import :: c_int, c_ptr, scorpio_access
      type(c_ptr), value :: file
      type(scorpio_access), intent(in) :: access
    end function
  end interface
end module scorpio_c

program calls
  use scorpio_c
  use mpi
  implicit none
  type(c_ptr) :: iosystem, file
  type(scorpio_access) :: access
  integer(c_int64_t), target :: dims(2), start(2), count(2), map(2)
  real(c_double), target :: mine(3, 2), all(3, 2)
  integer(c_int), target :: step
  integer(c_int) :: field, steps
  integer :: rank, ranks, ierr, i
  character(64) :: path

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  write (path, '(a, i0, a)') '/tmp/scorpio-fortran-calls-', ranks, '.h5'

  call good(scorpio_iosystem_create_f(MPI_COMM_WORLD, c_null_ptr, iosystem), 'create')
  call good(scorpio_file_create(iosystem, trim(path) // c_null_char, scorpio_format_default, c_null_ptr, file), &
            'file_create')
  ! Two rows of three for each rank; C counts the slowest dimension first.
  dims = [2_c_int64_t * ranks, 3_c_int64_t]
  call good(scorpio_variable_define(file, '/field' // c_null_char, scorpio_float64, 2, dims, field), 'define')
  call good(scorpio_variable_define(file, '/step' // c_null_char, scorpio_int32, 0, dims, steps), 'define')
  mine = reshape([(10.0d0 * rank + i, i = 1, 6)], [3, 2])
  start = [2_c_int64_t * rank, 0_c_int64_t]
  count = [2_c_int64_t, 3_c_int64_t]
  access = scorpio_access(variable=field, start=c_loc(start), count=c_loc(count), type=scorpio_float64, &
                          data=c_loc(mine))
  call good(scorpio_put(file, access), 'put')
  step = 41 + rank
  access = scorpio_access(variable=steps, type=scorpio_int32, data=c_loc(step), sharing=scorpio_all_ranks, &
                          root=ranks - 1)
  call good(scorpio_put(file, access), 'put of all ranks')
  step = 0
  call good(scorpio_get(file, access), 'get of all ranks')
  if (step /= 40 + ranks) call fail('the step')
  ! The rows of the next rank, backwards in memory.
  start = [2_c_int64_t * mod(rank + 1, ranks), 0_c_int64_t]
  map = [-3_c_int64_t, -1_c_int64_t]
  all = -1
  access = scorpio_access(variable=field, start=c_loc(start), count=c_loc(count), type=scorpio_float64, &
                          data=c_loc(all(3, 2)), map=c_loc(map))
  call good(scorpio_get(file, access), 'get')
  if (any(all /= reshape([(10.0d0 * mod(rank + 1, ranks) + i, i = 6, 1, -1)], [3, 2]))) call fail('the field')
  call good(scorpio_file_close(file), 'close')
  call good(scorpio_iosystem_free(iosystem), 'free')
  if (rank == 0) then
    open (newunit=i, file=trim(path), status='old')
    close (i, status='delete')
  end if
  call MPI_Finalize(ierr)

contains

  subroutine good(code, call_name)
    integer(c_int), intent(in) :: code
    character(*), intent(in) :: call_name
    if (code == 0) return
    print '(a, i0)', call_name // ' returned ', code
    call fail(call_name)
  end subroutine

  subroutine fail(what)
    character(*), intent(in) :: what
    print '(a, i0, 2a)', 'rank ', rank, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine
end program calls
