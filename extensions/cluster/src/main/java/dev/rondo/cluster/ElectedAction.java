package dev.rondo.cluster;

/// What the node does that is elected.
///
/// @param <X> the checked exceptions that it throws
@FunctionalInterface
public interface ElectedAction<X extends Exception> {

  /// Runs as the leader, in the task that stood for election. It is cancelled before another node
  /// is elected. May suspend.
  ///
  /// @param lease of the election; has the fencing token
  /// @throws X goes to the caller of [Election#elected(ElectedAction)]; another node is elected
  ///   then
  void run(Lease lease) throws X;
}
