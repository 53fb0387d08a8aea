! What the tests of libpiof have in common: failures are counted and told, each program has a folder for its files. MPI comes
! from its include file, which other compilers than that of MPI can read too.
module expectations
  implicit none
  include 'mpif.h'
  private
  public :: start, finish, expect, expect_code, own_file, usual_iotype, is_netcdf4
  integer, parameter, public :: world = MPI_COMM_WORLD
  integer, public :: rank = -1, ranks = 0
  integer :: failures = 0
  character(:), allocatable :: folder

contains

  subroutine start()
    integer :: ierr, length
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    call get_command_argument(1, length=length)
    allocate (character(length) :: folder)
    call get_command_argument(1, folder)
  end subroutine

  function own_file(name) result(path)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    path = folder//'/'//name
  end function

  ! The I/O type that the environment variable PIO_TEST_IOTYPE names, or this one.
  integer function usual_iotype(otherwise)
    integer, intent(in) :: otherwise
    character(8) :: text
    integer :: status
    usual_iotype = otherwise
    call get_environment_variable('PIO_TEST_IOTYPE', text, status=status)
    if (status == 0) read (text, *) usual_iotype
  end function

  logical function is_netcdf4()
    is_netcdf4 = usual_iotype(1) > 2
  end function

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print '(a, i0, 2a)', 'rank ', rank, ': failed: ', what
  end subroutine

  subroutine expect_code(code, expected, what)
    integer, intent(in) :: code, expected
    character(*), intent(in) :: what
    character(12) :: found
    if (code == expected) return
    write (found, '(i0)') code
    call expect(.false., what//': code '//trim(found))
  end subroutine

  subroutine finish()
    integer :: ierr, all_failures
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
    if (all_failures > 0) stop 1
    if (rank == 0) print '(a)', 'all calls did what they must'
  end subroutine
end module expectations
