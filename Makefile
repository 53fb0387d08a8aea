# What a person types; `make help` lists it. Each goal installs what is missing, configures, builds and runs; the rules
# themselves are in CMake (CMakePresets.json lists the builds).

MPI ?= openmpi
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
ifeq ($(MPI),system)
preset := system
else
preset := $(MPI)-user
endif
build := build/$(preset)

export SCORPIO_PYTHON := $(CURDIR)/build/venv/bin/python3
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

# Debian's packages of some purposes. With MPI=system libraries come from modules: CMake names what is missing.
ifeq ($(MPI),system)
install_packages = @echo "MPI=system: no packages are installed; CMake says what is missing."
else
install_packages = packaging/install-debian build $(MPI) $(1)
endif

.PHONY: all help build packages venv check docs test test-long demo bench figures install clean
all: build

help:
	@echo 'make build            the library alone, in $(build)'
	@echo 'make install          the same, and installs it: PREFIX=folder (now $(PREFIX))'
	@echo 'make demo             the demonstration'
	@echo 'make test             all checks and tests of a commit (30 minutes on 2 cores); make test-long: those of a night too'
	@echo 'make bench            the benchmarks: WORKLOAD=w2d for one, ONLY="record 10" for some of its cases,'
	@echo '                      QUICK=1 for a few minutes each (nodes: 20); make figures draws them'
	@echo '                      PNETCDF_PREFIX=folder compares with the PnetCDF that is installed there'
	@echo 'make check            format, layers, sizes, names, reference: seconds'
	@echo 'make docs             the reference and the pages as a site: build/docs/html/index.html'
	@echo 'make packages         installs Debian packages: FOR="build fortran openmpi demo bench test check docs", all without FOR'
	@echo 'make clean            removes build/'
	@echo
	@echo 'MPI=openmpi | mpich   Debian'"'"'s; MPI=system: what CMake finds, nothing is installed (now $(MPI))'
	@echo 'JOBS=number           of compile jobs (now $(JOBS))'

packages:
	packaging/install-debian $(FOR)

venv:
	@packaging/make-venv build/venv

build:
	$(call install_packages)
	cmake --preset $(preset)
	cmake --build --preset $(preset)

install: build
	cmake --install $(build) --prefix "$(PREFIX)"

check:
	@packaging/install-debian check
	dev/check

docs:
	@packaging/install-debian docs
	dev/make-docs
	dev/browse-site build/docs/html || [ $$? = 77 ]

test: packages
	dev/run-tests short

test-long: packages
	dev/run-tests long

demo:
	$(call install_packages,demo)
	@packaging/make-venv build/venv
	cmake --preset $(preset) -DSCORPIO_BENCH=ON "-DPNETCDF_PREFIX=$(PNETCDF_PREFIX)"
	cmake --build --preset $(preset) --target demo_programs
	demo/run --build-dir $(build)

.PHONY: bench-programs
bench-programs:
	$(call install_packages,bench)
	@packaging/make-venv build/venv
	cmake --preset $(preset) -DSCORPIO_BENCH=ON "-DPNETCDF_PREFIX=$(PNETCDF_PREFIX)"
	cmake --build --preset $(preset) --target bench_programs

bench: bench-programs
	$(SCORPIO_PYTHON) bench/run.py --build-dir $(build) $(if $(WORKLOAD),--workload $(WORKLOAD)) $(if $(ONLY),--only "$(ONLY)") $(if $(QUICK),--quick)

figures: bench-programs
	$(SCORPIO_PYTHON) bench/figures.py --build-dir $(build)

clean:
	rm -rf build
