! Checks, values and the job of the Fortran clients. The values are those of values.h.
module pflotran_checks
  implicit none
#include "fortran_family.inc"
#include CONSTANTS
  include 'mpif.h'
  integer :: failures = 0, rank, ranks

contains

  subroutine begin()
    integer :: ierr
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  end subroutine begin

  subroutine expect(what, wanted, found)
    character(*), intent(in) :: what
    integer, intent(in) :: wanted, found
    if (wanted == found) return
    failures = failures + 1
    if (failures <= 25) write (0, '(3a,i0,a,i0,a,i0)') 'pflotran: ', what, ': rank ', rank, ': expected ', wanted, &
      ', got ', found
  end subroutine expect

  ! Each rank by itself: one that skipped the last block write calls MPI_Finalize next, and nothing else.
  subroutine finish()
    integer :: ierr
    call MPI_Finalize(ierr)
    if (failures > 0) stop 1
  end subroutine finish

  pure integer function base(index, seed)
    integer, intent(in) :: index, seed
    base = mod(31 * index + 17 * seed, 30011)
  end function base

  pure integer function integer_value(index, seed)
    integer, intent(in) :: index, seed
    integer_value = base(index, seed) - 15000
  end function integer_value

  pure real(8) function double_value(index, seed)
    integer, intent(in) :: index, seed
    double_value = 0.5d0 * base(index, seed) - 1000d0
  end function double_value

  ! Rows of the ranks below `r`: r + 1 each, every third none.
  pure integer function rows_before(r)
    integer, intent(in) :: r
    integer :: i
    rows_before = 0
    do i = 0, r - 1
      if (mod(i, 3) /= 2) rows_before = rows_before + i + 1
    end do
  end function rows_before

end module pflotran_checks
