package dev.rondo.io.terminal;

import java.io.IOException;

/// Control-C was typed instead of a line.
public final class TerminalInterruptedException extends IOException {

  private static final long serialVersionUID = 1L;

  /// The part of the line that was typed.
  private final String typed;

  TerminalInterruptedException(String typed) {
    super("control-C was typed instead of a line");
    this.typed = typed;
  }

  /// {@return the part of the line that was typed}
  public String typed() {
    return typed;
  }
}
