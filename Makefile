# Thin: every target is a script of dev/ that can be run by itself.
.PHONY: all build run test lint check format bench fuzz memory soak install clean

all: build

build:
	@dev/build.sh

# Shows hpd at work; on a terminal it is left running.
run:
	@dev/run.sh

test:
	@dev/test.sh

lint:
	@dev/lint.sh

# Lint, generated code, layers, exports.
check:
	@dev/check.sh

format:
	@dev/format.sh

bench:
	@dev/bench.sh

fuzz:
	@dev/fuzz.sh

# The C library's tests under the sanitizers and under valgrind.
memory:
	@dev/memory.sh

# MINUTES=10
soak:
	@dev/soak.sh

# PREFIX=/usr/local DESTDIR=; BIN=FOLDER takes programs that are built already
install:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' dev/install.sh

clean:
	@dev/clean.sh
