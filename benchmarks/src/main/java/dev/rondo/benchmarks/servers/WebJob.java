package dev.rondo.benchmarks.servers;

/// What `WebLoad` asks of [WebServers].
public enum WebJob {
  /// Bytes of a socket are sent back: what the transports cost.
  TCP(""),

  /// A short text, over HTTP/1.1.
  HELLO("/"),

  /// An object that is written as JSON for each request, over HTTP/1.1.
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
