! The parts that the program is built with, one after another.
program main
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  interface
    integer(c_int) function part_c(path) bind(C)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function part_cxx(path) bind(C)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function part_fortran(path) bind(C)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: path(*)
    end function
  end interface
  character(256) :: path
  integer :: failures, ierr

  call get_command_argument(1, path)
  failures = 0
  call MPI_Init(ierr)
#ifdef WITH_C
  failures = failures + part_c(trim(path) // c_null_char)
#endif
#ifdef WITH_CXX
  failures = failures + part_cxx(trim(path) // c_null_char)
#endif
#ifdef WITH_Fortran
  failures = failures + part_fortran(trim(path) // c_null_char)
#endif
  call MPI_Finalize(ierr)
  if (failures /= 0) stop 1
end program main
