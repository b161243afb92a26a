package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/// One run of a job of the cluster.
///
/// @param number counts the runs of the job, on all nodes, from 1
/// @param due when it was to begin
/// @param isRepeated whether a node began this run before, and was killed, stopped or cut off
///   before the run had ended. Each run begins at least once; an action that returns if this is
///   true does its work at most once
/// @param lease of the job, which the run is cancelled without; has the fencing token
public record JobRun(long number, Instant due, boolean isRepeated, Lease lease) {

  /// Makes one.
  public JobRun {
    requireNonNull(due, "due is null");
    requireNonNull(lease, "lease is null");
  }
}
