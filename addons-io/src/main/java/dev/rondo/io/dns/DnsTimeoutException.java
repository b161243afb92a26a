package dev.rondo.io.dns;

import java.io.IOException;

/// No name server answered any of the attempts.
public final class DnsTimeoutException extends IOException {

  private static final long serialVersionUID = 1L;

  DnsTimeoutException(String message) {
    super(message);
  }
}
