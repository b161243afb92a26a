package dev.rondo.simulation.internal.net;

/// How many bytes an endpoint keeps: `SO_SNDBUF` and `SO_RCVBUF`.
public final class BufferSizes {

  /// The defaults of Linux, without its automatic growth.
  private static final int DEFAULT_STREAM_SEND = 262_144;

  private static final int DEFAULT_STREAM_RECEIVE = 131_072;
  private static final int DEFAULT_DATAGRAM = 212_992;
  private static final int DEFAULT_UNIX = 212_992;

  /// Linux accepts no less.
  private static final int LEAST_SEND = 4_608;

  private static final int LEAST_RECEIVE = 2_304;

  /// `wmem_max` and `rmem_max`, twice as Linux counts.
  private static final int MOST = 425_984;

  private int send;
  private int receive;

  private BufferSizes(int send, int receive) {
    this.send = send;
    this.receive = receive;
  }

  static BufferSizes ofStream() {
    return new BufferSizes(DEFAULT_STREAM_SEND, DEFAULT_STREAM_RECEIVE);
  }

  static BufferSizes ofDatagrams() {
    return new BufferSizes(DEFAULT_DATAGRAM, DEFAULT_DATAGRAM);
  }

  static BufferSizes ofUnix() {
    return new BufferSizes(DEFAULT_UNIX, DEFAULT_UNIX);
  }

  void copyFrom(BufferSizes other) {
    send = other.send;
    receive = other.receive;
  }

  /// {@return how many bytes may be on their way}
  public int send() {
    return send;
  }

  /// {@return how many bytes may wait to be read}
  public int receive() {
    return receive;
  }

  /// Sets how many bytes may be on their way: twice as many, as Linux does.
  ///
  /// @param bytes more than zero
  public void send(int bytes) {
    send = Math.clamp(2L * bytes, LEAST_SEND, MOST);
  }

  /// Sets how many bytes may wait to be read: twice as many, as Linux does.
  ///
  /// @param bytes more than zero
  public void receive(int bytes) {
    receive = Math.clamp(2L * bytes, LEAST_RECEIVE, MOST);
  }
}
