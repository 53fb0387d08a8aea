! Conversion of texts between Fortran and C, and messages about arguments. Texts can be longer than the stack: results are
! allocated.
module scorpio_piof_text
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: as_c, as_path, joined, to_fortran, tell, number

contains

  ! The text without its trailing blanks, terminated with NUL.
  pure function as_c(text) result(c_text)
    character(*), intent(in) :: text
    character(kind=c_char, len=:), allocatable :: c_text
    c_text = trim(text)//c_null_char
  end function

  ! The name of a file. Of an empty one libpioc returns PIO_EINTERNAL, on all ranks.
  pure function as_path(fname) result(c_text)
    character(*), intent(in) :: fname
    character(kind=c_char, len=:), allocatable :: c_text
    c_text = as_c(fname)
    if (fname == '') c_text = as_c('//')
  end function

  ! All characters of all texts, blanks included, one text after the other.
  pure function joined(texts) result(characters)
    character(*), intent(in) :: texts(:)
    character(kind=c_char), allocatable :: characters(:)
    integer(c_int64_t) :: i, j, length
    length = len(texts)
    allocate (characters(size(texts)*length))
    do i = 1, size(texts)
      do j = 1, length
        characters((i - 1)*length + j) = texts(i) (j:j)
      end do
    end do
  end function

  ! Copies the characters before the first NUL; blanks follow.
  pure subroutine to_fortran(characters, text)
    character(kind=c_char), intent(in) :: characters(:)
    character(*), intent(inout) :: text
    integer :: i
    text = ' '
    do i = 1, min(size(characters), len(text))
      if (characters(i) == c_null_char) exit
      text(i:i) = characters(i)
    end do
  end subroutine

  subroutine tell(message)
    character(*), intent(in) :: message
    write (error_unit, '(2a)') 'pio: ', message
  end subroutine

  pure function number(value) result(text)
    integer(c_int64_t), intent(in) :: value
    character(:), allocatable :: text
    character(20) :: digits
    write (digits, '(i0)') value
    text = trim(digits)
  end function
end module scorpio_piof_text
