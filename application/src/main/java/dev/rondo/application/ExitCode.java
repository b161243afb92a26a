package dev.rondo.application;

/// What the process of [Application#runAndExit] ends with.
///
/// | code | when |
/// |---|---|
/// | 0 | no work was left, or [Application#stop()] |
/// | as given | [Application#exit(int)] |
/// | 1 | main failed, or the application did: a deadlock, an error of the JVM; it is logged |
/// | 70 | an orderly stop whose time was up before all tasks had gone; they are logged |
/// | 128 + n | signal n (130 for SIGINT, 143 for SIGTERM), whether or not all tasks went in time |
public final class ExitCode {

  /// Nothing went wrong.
  public static final int SUCCESS = 0;

  /// The application failed.
  public static final int FAILURE = 1;

  /// Tasks were left when the grace of an orderly stop was over: `EX_SOFTWARE` of BSD's sysexits.
  public static final int GRACE_EXCEEDED = 70;

  private ExitCode() {}
}
