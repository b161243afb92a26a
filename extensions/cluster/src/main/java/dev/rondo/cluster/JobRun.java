package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/// One run of a job of the cluster.
///
/// @param number counts the runs of the job, on all nodes, from 1
/// @param due when it was to begin
/// @param isRepeated whether a node began this run before, and was lost before the run had ended
/// @param lease of the job, which the run is cancelled without; has the fencing token
public record JobRun(long number, Instant due, boolean isRepeated, Lease lease) {

  /// Makes one.
  public JobRun {
    requireNonNull(due, "due is null");
    requireNonNull(lease, "lease is null");
  }
}
