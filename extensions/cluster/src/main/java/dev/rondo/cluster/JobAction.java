package dev.rondo.cluster;

/// The action of a job of the cluster.
@FunctionalInterface
public interface JobAction {

  /// Does it, in the job's task. It is cancelled if its node might no longer be the only one that
  /// runs it.
  ///
  /// @param run which run it is
  /// @throws Exception goes to the failure handler; the run counts as ended, and the job goes on
  void run(JobRun run) throws Exception;
}
