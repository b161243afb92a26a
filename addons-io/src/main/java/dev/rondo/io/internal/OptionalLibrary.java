package dev.rondo.io.internal;

/// The optional libraries of this module: who does not use them need not have them.
public enum OptionalLibrary {
  /// DNS messages.
  DNSJAVA("org.xbill.DNS.Message", "dnsjava:dnsjava:3.7.1", "DNS queries"),
  /// TLS.
  TLS_CHANNEL(
      "tlschannel.TlsChannel", "com.github.marianobarrios:tls-channel:0.10.1", "TLS sockets"),
  /// Terminals.
  JLINE("org.jline.terminal.Terminal", "org.jline:jline:4.5.0", "terminals");

  private final String className;
  private final String coordinates;
  private final String purpose;

  OptionalLibrary(String className, String coordinates, String purpose) {
    this.className = className;
    this.coordinates = coordinates;
    this.purpose = purpose;
  }

  /// Makes sure that the library is there, and that this module may use it.
  ///
  /// @throws IllegalStateException if it is not; the message says what to add
  public void require() {
    require(OptionalLibrary.class.getClassLoader());
  }

  void require(ClassLoader loader) {
    try {
      Class<?> one = Class.forName(className, false, loader);
      OptionalLibrary.class
          .getModule()
          .addReads(one.getModule()); // module-info does not name them all
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "%s need a library that is not there: add the dependency %s"
              .formatted(purpose, coordinates),
          e);
    }
  }
}
