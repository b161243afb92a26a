package dev.rondo.cluster;

/// What becomes of the run of a job whose node was lost in the middle: killed, stopped, or cut off.
public enum IfInterrupted {

  /// The node that takes over runs it again: a run begins at least once, and may have been done
  /// twice in part. The default.
  REPEAT,

  /// It is left as it is: a run begins at most once.
  SKIP
}
