# make demo [DB=path]    runs Examples/Library; DB keeps the database file
# make test [SQLITE=...] builds and runs the tests, with another SQLite: 3.46.1, newest, newest-bare,
#                        sqlcipher
# make bench [ARGS=...]  runs the benchmarks (see Benchmarks/README.md)
# make cluster-demo      three nodes of a cluster, a library on them, a leader that is killed. Linux
# make docs              builds the site of the manual, in .build-site
# make check             everything that has to pass before a change goes in
# make torture           an hour and a half of faults, kills, guards, sanitizers, and more
#
# SWIFTFLAGS goes to every build. SCRATCH is the name of the build directories.
# CONFIGURATION=release tests the optimized library; QUARRY_TESTS=optimized optimizes the tests too.

SCRATCH ?= .build
export SCRATCH SWIFTFLAGS CONFIGURATION DB SQLITE

.PHONY: demo cluster-demo test bench docs check torture

demo:
	@Scripts/setup
	@Scripts/demo

cluster-demo:
	@Scripts/setup
	@Scripts/cluster demo

test:
	@Scripts/setup
	@Scripts/test

bench:
	@Scripts/setup
	@Scripts/bench $(ARGS)

docs:
	@Scripts/setup python3
	@Scripts/site build

check:
	@.ci/run

torture:
	@Scripts/setup
	@Scripts/torture
