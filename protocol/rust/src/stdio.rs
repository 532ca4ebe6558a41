//! Reserves stdin and stdout for the protocol, so that prints do no harm.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};

/// Returns copies of stdin and stdout for frames. Then stdin is empty, and prints go to stderr.
pub(crate) fn take() -> io::Result<(File, File)> {
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    let source = File::from(stdin.as_fd().try_clone_to_owned()?);
    let sink = File::from(stdout.as_fd().try_clone_to_owned()?);
    point(stdin.as_fd(), File::open("/dev/null")?.as_fd())?;
    point(stdout.as_fd(), stderr.as_fd())?;
    Ok((source, sink))
}

/// Make a descriptor refer to the same file as another.
// The standard library has no dup2, but it is linked with the C library, which has one. A crate for
// this one call would take as long to build as the rest of this crate.
#[allow(unsafe_code)]
fn point(descriptor: BorrowedFd, to: BorrowedFd) -> io::Result<()> {
    extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
    }
    // SAFETY: both are open, and only the standard streams, which nobody owns, are replaced.
    if unsafe { dup2(to.as_raw_fd(), descriptor.as_raw_fd()) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
