package dev.rondo.cluster;

/// Serves one key of work that is spread over the members.
@FunctionalInterface
public interface SpreadAction {

  /// Serves a key, in a task of its own, usually until it is cancelled: that happens when the key
  /// moves to another member, or might have moved because the lease is lost. The next member serves
  /// the key when the action has ended. An action that returns is done with the key, until the key
  /// has moved away and back.
  ///
  /// @param key one of those that are spread
  /// @param lease of the key; has the fencing token
  /// @throws Exception goes to the failure handler; counts as a return
  void serve(String key, Lease lease) throws Exception;
}
