package dev.rondo.benchmarks.servers;

/// The jobs that `WebLoad` gives to [WebServers].
public enum WebJob {
  /// Bytes of a socket are sent back, which shows the cost of the transports.
  TCP(""),

  /// A short text, over HTTP/1.1.
  HELLO("/"),

  /// An object that is encoded as JSON for each request, over HTTP/1.1.
  JSON("/json"),

  /// The short text over HTTP/2 with prior knowledge.
  HTTP2("/"),

  /// The short text over HTTP/1.1 and TLS 1.3.
  TLS("/"),

  /// Each text of a WebSocket is sent back.
  ECHO("/echo"),

  /// Each text of a WebSocket is sent to all.
  ROOM("/room");

  private final String path;

  WebJob(String path) {
    this.path = path;
  }

  public String path() {
    return path;
  }

  public boolean isWebSocket() {
    return this == ECHO || this == ROOM;
  }
}
