package dev.rondo.cluster;

/// A lease is no longer this node's: it was not renewed in time, or the node has left the cluster.
/// Another node may hold it.
public final class LeaseLostException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LeaseLostException(String message) {
    super(message);
  }
}
