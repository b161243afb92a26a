package dev.rondo.observe.internal;

/// Stands for an exhausted heap: to log it fails as well.
@SuppressWarnings("serial")
final class Unprintable extends OutOfMemoryError {

  @Override
  public String getMessage() {
    throw new OutOfMemoryError("planted");
  }
}
