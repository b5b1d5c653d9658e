internal import CTerminal
internal import Glibc

// A socket must not become what results are written to.
_ = hp_terminal_keep_standard()

// A reader that goes away is noticed by write(2), not by a signal.
signal(SIGPIPE, SIG_IGN)
signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }

let output = Output(descriptor: STDOUT_FILENO)
let notes = Output(descriptor: STDERR_FILENO)
exit(Run.status(output: output, notes: notes).rawValue)
