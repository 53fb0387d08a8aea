"""The names of dummy arguments in the two sets of modules, and the arguments by which procedures take files and
variables. The templates of the specific procedures use both."""

# The newer names (E3SM), where the older ones (CESM, the earlier library of E3SM) differ.
OLDER = {
    "comm_rank": "comp_rank", "comm": "comp_comm", "nioprocs": "num_iotasks", "naggprocs": "num_aggregator",
    "ioprocs_stride": "stride", "iosys": "iosystem",
    "dt": "basepiotype", "gdims": "dims", "map": "compdof", "mapstart": "compstart", "mapcount": "compcount",
    "create_mode": "amode_in", "eh": "method", "old_eh": "oldmethod", "hval": "hintval",
    "vdesc": "vardesc", "status": "iostat", "delete_status": "rc",
    "dname": "name", "dlen": "len", "dimlen": "len",
    "vname": "name", "vtype": "type", "vdimids": "dimids", "vndims": "ndims", "vnatts": "natts",
    "attname": "name", "attval": "value", "attvals": "values", "attlen": "len",
    "index": "index", "start": "start", "cnt": "count", "val": "ival", "str": "ival",
}
NEWER = {"index": "start", "attvals": "attval", "status": "ierr", "delete_status": "ierr", "create_mode": "mode"}


class Dummies:
    """dummies.vname is the name in this set of modules."""

    def __init__(self, names):
        self.__names = names

    def __getattr__(self, name):
        return self.__names.get(name, name)


class Handle:
    """How a procedure takes a file, or a file and a variable."""

    def __init__(self, tag, arguments, ncid, varid=""):
        self.tag, self.ncid, self.varid = tag, ncid, varid
        self.arguments = ", ".join(name for name, _ in arguments)
        self.declarations = "\n".join(f"    {declaration}, intent(in) :: {name}" for name, declaration in arguments)


def dummies(module_set):
    return Dummies(OLDER if module_set == "cesm" else NEWER)


def file_handles():
    return [Handle("file", [("file", "type(file_desc_t)")], "file%fh"), Handle("fh", [("fh", "integer(c_int)")], "fh")]


def variable_handles(module_set):
    vdesc = dummies(module_set).vdesc
    file, varid = ("file", "type(file_desc_t)"), ("varid", "integer(c_int)")
    return [Handle("file_id", [file, varid], "file%fh", "varid"),
            Handle("file_desc", [file, (vdesc, "type(var_desc_t)")], "file%fh", vdesc + "%varid"),
            Handle("fh_id", [("fh", "integer(c_int)"), varid], "fh", "varid")]


def numbers(module_set):
    """(name, declaration, constant of its type) of the numbers in memory."""
    found = [("int", "integer(c_int)", "pio_int"), ("real", "real(c_float)", "pio_real"),
             ("double", "real(c_double)", "pio_double")]
    return found + ([("short", "integer(c_short)", "pio_short")] if module_set == "cesm" else [])


def shape(rank):
    """The declaration of a shape: (:, :) for rank 2."""
    return "(" + ", ".join(":" * rank) + ")" if rank else ""
