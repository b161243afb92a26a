package dev.rondo.io.internal;

/// The optional libraries of this module, which only programs that use them need.
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

  /// Checks that the library is present, and lets this module read it.
  ///
  /// @throws IllegalStateException if it is missing; the message says what to add
  public void require() {
    require(OptionalLibrary.class.getClassLoader());
  }

  void require(ClassLoader loader) {
    try {
      Class<?> one = Class.forName(className, false, loader);
      OptionalLibrary.class
          .getModule()
          .addReads(one.getModule()); // module-info does not name all of them
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "%s require a library that is missing: add the dependency %s"
              .formatted(purpose, coordinates),
          e);
    }
  }
}
