package dev.rondo.application;

/// The exit codes of [Application#runAndExit].
///
/// | code | meaning |
/// |---|---|
/// | 0 | no work was left, or [Application#stop()] was called |
/// | n | `n` was given to [Application#exit(int)] |
/// | 1 | main failed, or the application did: a deadlock, an error of the JVM; the failure is logged |
/// | 70 | tasks were left when the grace of an orderly shutdown was over; they are logged |
/// | 75 | another thread has interrupted the application's thread; a warning is logged |
/// | 128 + n | signal n (130 for SIGINT, 143 for SIGTERM), whether or not all tasks ended in time |
public final class ExitCode {

  /// The application ended normally.
  public static final int SUCCESS = 0;

  /// The application failed.
  public static final int FAILURE = 1;

  /// Tasks were left when the grace of an orderly shutdown was over: `EX_SOFTWARE` in BSD's
  /// sysexits.
  public static final int GRACE_EXCEEDED = 70;

  /// Another thread has interrupted the application's thread: `EX_TEMPFAIL` in BSD's sysexits.
  public static final int INTERRUPTED = 75;

  private ExitCode() {}
}
