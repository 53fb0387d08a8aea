# What a person types. Each goal installs what is missing, configures, builds and runs; the rules themselves are in
# CMake (CMakePresets.json lists the builds).
#
#   make demo            the demonstration
#   make test            all checks and tests of a commit;  make test-long  the nightly ones too
#   make bench           the benchmarks (WORKLOAD=w2d for one);  make figures  draws their results
#   make check           format, layers, sizes, names: seconds
#   make install         PREFIX=folder
#
#   MPI=openmpi | mpich | system      JOBS=number of compile jobs

MPI ?= openmpi
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
ifeq ($(MPI),system)
preset := system
else
preset := $(MPI)-release
endif
build := build/$(preset)

export SCORPIO_PYTHON := $(CURDIR)/build/venv/bin/python3
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)

.PHONY: all build packages venv check test test-long demo bench figures install clean
all: build

packages:
	@packaging/install-debian

venv: packages
	@packaging/make-venv build/venv

build: packages
	cmake --preset $(preset)
	cmake --build --preset $(preset)

check: packages
	dev/check

test: packages venv
	dev/run-tests short

test-long: packages venv
	dev/run-tests long

demo: build venv
	demo/run --build-dir $(build)

bench: build venv
	$(SCORPIO_PYTHON) bench/run.py --build-dir $(build) $(if $(WORKLOAD),--workload $(WORKLOAD)) $(if $(ONLY),--only "$(ONLY)")

figures: build venv
	$(SCORPIO_PYTHON) bench/figures.py --build-dir $(build)

install: build
	cmake --install $(build) --prefix "$(PREFIX)"

clean:
	rm -rf build
