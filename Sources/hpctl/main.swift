internal import Glibc

// A reader that goes away is noticed by write(2), not by a signal.
signal(SIGPIPE, SIG_IGN)
signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }

let output = Output(descriptor: STDOUT_FILENO)
let notes = Output(descriptor: STDERR_FILENO)
exit(Run.status(output: output, notes: notes).rawValue)
