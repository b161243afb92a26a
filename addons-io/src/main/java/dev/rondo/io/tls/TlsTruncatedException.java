package dev.rondo.io.tls;

import java.io.EOFException;

/// The stream ended without the peer's `close_notify`: somebody may have cut it off (RFC 8446,
/// 6.1). What was read before came from the peer, but may not be all.
public final class TlsTruncatedException extends EOFException {

  private static final long serialVersionUID = 1L;

  TlsTruncatedException(String message) {
    super(message);
  }
}
