package dev.rondo.io.tls;

import java.io.EOFException;

/// The stream ended without the peer's `close_notify`: an attacker may have truncated it (RFC 8446,
/// 6.1). The bytes read before are the peer's, but may not be all.
public final class TlsTruncatedException extends EOFException {

  private static final long serialVersionUID = 1L;

  TlsTruncatedException(String message) {
    super(message);
  }
}
