package dev.rondo.io;

import java.io.IOException;

/// The peer sent more than a message may have without the delimiter that ends one. What it sent is
/// still there to be read.
public final class DelimiterNotFoundException extends IOException {

  private static final long serialVersionUID = 1L;

  DelimiterNotFoundException(String message) {
    super(message);
  }
}
