package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One side of a TCP connection (RFC 9293), as Linux has it.
///
/// | from | to | because |
/// |---|---|---|
/// | UNCONNECTED | CONNECTING | the program connects |
/// | UNCONNECTED | HALF_OPEN | a listener answers a peer |
/// | CONNECTING | CONNECTED | the peer has answered |
/// | CONNECTING | HALF_OPEN | the peer connects at the same time |
/// | HALF_OPEN | CONNECTED | the peer has confirmed |
/// | CONNECTED | TIME_WAIT | both sides have closed, this one first |
/// | any | DEAD | a reset, a failure, or both sides have closed |
public final class TcpConnection extends StreamEndpoint {

  private enum State {
    UNCONNECTED,
    CONNECTING,
    HALF_OPEN,
    CONNECTED,
    TIME_WAIT,
    DEAD
  }

  /// How long a closed side waits for the peer to close, too: `tcp_fin_timeout` of Linux.
  private static final long FIN_TIMEOUT_NANOS = 60_000_000_000L;

  /// How long a connection that this side has closed first keeps its port, as RFC 9293 demands.
  private static final long TIME_WAIT_NANOS = 60_000_000_000L;

  /// `tcp_syn_retries` and `tcp_synack_retries` of Linux.
  private static final int SYN_RETRIES = 6;

  private static final int ANSWER_RETRIES = 5;

  private final Host host;
  private final TcpAddresses addresses;
  private final Inbound in = new Inbound(sizes());
  private final TcpSender sender;
  private final Outbound out;
  private final KeepAlive keepAlive;

  /// Ends the wait for the peer, or for what may still be under way.
  private final Timeline.Timer endTimer;

  private State state = State.UNCONNECTED;

  /// Null unless HALF_OPEN.
  private @Nullable TcpListener listener;

  /// The error that the next operation reports.
  private @Nullable SystemError error;

  /// Whether the program has closed it.
  private boolean released;

  private boolean closedFirst;

  /// Creates a socket that is not connected.
  ///
  /// @param host where it is
  public TcpConnection(Host host) {
    super(BufferSizes.ofStream());
    this.host = host;
    this.addresses = new TcpAddresses(host, this);
    this.sender = new TcpSender(host, addresses, in);
    this.out = new Outbound(host.timeline(), host.network().nextSequence(), new Wire());
    this.keepAlive =
        new KeepAlive(host.timeline(), addresses::isPeerGone, this::probe, this::giveUp);
    this.endTimer = host.timeline().timer(this::die);
  }

  /// The part of the connection that the output needs.
  private final class Wire implements Outbound.Wire {

    @Override
    public void transmit(int flags, long sequence, ByteBuffer data) {
      TcpConnection.this.transmit(flags, sequence, data);
    }

    @Override
    public int bytesOfSegment(int most) {
      return sender.bytesOfSegment(most);
    }

    @Override
    public boolean wouldAnswerProbe() {
      TcpConnection peer = addresses.peer();
      return addresses.isPeerGone() || (peer != null && peer.in.window() > 0);
    }

    @Override
    public void gaveUp() {
      fail(SystemError.TIMED_OUT);
    }
  }

  /// {@return `SO_KEEPALIVE` and its times}
  public KeepAlive keepAlive() {
    return keepAlive;
  }

  /// {@return this side's address; null if it is not bound}
  public @Nullable InetSocketAddress localAddress() {
    return addresses.local();
  }

  /// {@return the peer's address; null until it connects}
  public @Nullable InetSocketAddress remoteAddress() {
    Flow known = addresses.flow();
    return known == null ? null : known.remote();
  }

  // Connecting.

  /// Binds it to an address of this host.
  ///
  /// @param address port 0 for any free one
  /// @param reuseAddress `SO_REUSEADDR`
  /// @param reusePort `SO_REUSEPORT`
  /// @throws IOException if the address is in use, or no address of this host
  public void bind(InetSocketAddress address, boolean reuseAddress, boolean reusePort)
      throws IOException {
    addresses.bind(address, reuseAddress, reusePort);
  }

  /// Begins to connect. See [#isConnecting()].
  ///
  /// @param remote the peer
  /// @throws IOException if there is no port left, or the two addresses have a connection already
  public void connect(InetSocketAddress remote) throws IOException {
    addresses.connect(remote);
    state = State.CONNECTING;
    out.begin(SYN_RETRIES);
  }

  /// A listener answers a peer that connects.
  void answer(Flow wanted, Segment syn, Ports.Binding<Endpoint> bound, TcpListener answering) {
    listener = answering;
    state = State.HALF_OPEN;
    in.begin(syn.end());
    addresses.adopt(wanted, bound);
    out.begin(ANSWER_RETRIES);
  }

  @Override
  public boolean isConnecting() {
    return state == State.CONNECTING || (state == State.HALF_OPEN && listener == null);
  }

  @Override
  public void throwConnectError() throws IOException {
    SystemError pending = takeError();
    if (pending != null) {
      throw pending.exception();
    }
  }

  private void throwError() throws IOException {
    SystemError pending = takeError();
    if (pending != null) {
      throw pending.ioException();
    }
  }

  private @Nullable SystemError takeError() {
    SystemError pending = error;
    error = null;
    return pending;
  }

  // Reading and writing.

  @Override
  public boolean isReadable() {
    return !in.isEmpty() || in.hasEnded() || error != null || isOver();
  }

  @Override
  public boolean hasRoom() {
    return out.hasEnded() || isOver() || room() > 0;
  }

  private long room() {
    return sizes().send() - out.size();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (!in.isEmpty()) {
      int count = in.moveTo(target);
      if (state == State.CONNECTED && in.isWorthPromising(Outbound.LONGEST_BYTES)) {
        acknowledge();
      }
      return count;
    }
    if (in.hasEnded()) {
      return -1;
    }
    throwError();
    return isOver() ? -1 : 0;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    throwError();
    if (out.hasEnded() || isOver()) {
      throw SystemError.BROKEN_PIPE.exception();
    }
    int count = Math.clamp(room(), 0, source.remaining());
    if (count > 0) {
      out.write(source, count);
    }
    return count;
  }

  @Override
  public boolean isFlushed() {
    return isOver() || out.isIdle();
  }

  private boolean isOver() {
    return state == State.DEAD || state == State.TIME_WAIT;
  }

  // Sending.

  private void transmit(int flags, long sequence, ByteBuffer data) {
    int all = state == State.CONNECTING ? flags : flags | Segment.ACK;
    if (!sender.send(all, sequence, data)) {
      host.timeline().after(0, () -> fail(SystemError.NO_ROUTE));
    }
  }

  private void acknowledge() {
    transmit(0, out.next(), Segment.NO_DATA);
  }

  // Segments.

  /// {@return whether a peer may begin a new connection with the addresses of this one, which ends}
  boolean makesWayFor(Segment segment) {
    return segment.has(Segment.SYN) && segment.sequence() > in.expected() && makesWay();
  }

  /// {@return whether a new connection may have the addresses of this one, which ends}
  boolean makesWay() {
    if (state == State.TIME_WAIT) {
      die();
    }
    return state == State.DEAD;
  }

  /// A segment has arrived, maybe too early or a second time.
  void arrived(Segment segment) {
    keepAlive.heard();
    switch (state) {
      case UNCONNECTED, DEAD -> throw new AssertionError(segment);
      case CONNECTING -> arrivedAnswer(segment);
      case HALF_OPEN, CONNECTED, TIME_WAIT -> {
        if (segment.has(Segment.RST)) {
          arrivedReset(segment);
        } else if (segment.has(Segment.SYN)) {
          arrivedBeginning(segment);
        } else {
          arrivedNext(segment);
        }
      }
    }
  }

  private void arrivedAnswer(Segment segment) {
    boolean answers = segment.acknowledged() == out.next();
    if (segment.has(Segment.ACK) && !answers) {
      if (!segment.has(Segment.RST)) {
        sender.reset(segment.acknowledged()); // the peer has a connection of before
      }
    } else if (segment.has(Segment.RST)) {
      if (answers) {
        fail(SystemError.CONNECTION_REFUSED);
      }
    } else if (segment.has(Segment.SYN)) {
      in.begin(segment.end());
      if (answers) {
        establish(segment);
        acknowledge();
      } else {
        state = State.HALF_OPEN;
        out.resend();
      }
    }
  }

  private void establish(Segment segment) {
    TcpListener waiting = listener;
    listener = null;
    state = State.CONNECTED;
    out.acknowledge(segment.acknowledged(), segment.window(), false);
    keepAlive.begin();
    if (waiting != null) {
      waiting.established(this);
    }
    changed();
  }

  private void arrivedReset(Segment segment) {
    if (segment.sequence() == in.expected()) {
      if (state == State.HALF_OPEN && listener == null) {
        fail(SystemError.CONNECTION_REFUSED);
      } else {
        fail(in.hasPeerEnded() ? SystemError.BROKEN_PIPE : SystemError.CONNECTION_RESET);
      }
    } else if (in.isInWindow(segment.sequence())) {
      acknowledge(); // the peer says it again, with the right number
    }
  }

  private void arrivedBeginning(Segment segment) {
    if (state != State.HALF_OPEN || segment.end() != in.expected()) {
      acknowledge();
    } else if (segment.has(Segment.ACK) && segment.acknowledged() == out.next()) {
      establish(segment);
    } else {
      out.resend();
    }
  }

  private void arrivedNext(Segment segment) {
    if (state == State.HALF_OPEN) {
      if (!out.wasSent(segment.acknowledged())) {
        sender.reset(segment.acknowledged());
        return;
      }
      establish(segment);
    } else if (!out.wasSent(segment.acknowledged())) {
      if (segment.numbers() > 0) {
        acknowledge();
      }
      return;
    } else {
      out.acknowledge(segment.acknowledged(), segment.window(), segment.numbers() == 0);
    }
    boolean old = segment.sequence() < in.expected();
    if (released && !old && segment.data().hasRemaining()) {
      abort();
      return;
    }
    boolean news = in.take(segment);
    if (old || segment.numbers() > 0) {
      acknowledge();
    }
    if (news || isWritable() || out.isEndAcknowledged()) {
      changed();
    }
    endIfClosed();
  }

  // Reachability.

  private void probe() {
    if (out.isIdle()) {
      out.sendProbe();
    }
  }

  private void giveUp() {
    sender.reset(out.next());
    fail(SystemError.TIMED_OUT);
  }

  // The end.

  private void fail(SystemError why) {
    if (state != State.DEAD) {
      error = why;
      die();
    }
  }

  private void die() {
    state = State.DEAD;
    out.stop();
    keepAlive.stop();
    endTimer.cancel();
    TcpListener waiting = listener;
    if (waiting != null) {
      listener = null;
      waiting.failed(this);
    }
    addresses.remove();
    if (released || waiting != null) {
      in.clear();
      addresses.freePort(); // no program has the socket
    }
    changed();
  }

  /// The host has lost its power.
  void vanish() {
    released = true;
    die();
  }

  @Override
  public void endInput() {
    in.end();
    changed();
  }

  @Override
  public void endOutput() {
    if (!out.hasEnded()) {
      closedFirst = !in.hasPeerEnded();
      out.end();
      changed();
    }
  }

  @Override
  void abort() {
    if (!isOver()) {
      sender.reset(out.next());
    }
    released = true;
    die();
  }

  /// The program has closed the socket. Bytes that it has written still arrive, unless it left
  /// something unread or set `SO_LINGER` to 0.
  @Override
  public void close() {
    if (released) {
      return;
    }
    released = true;
    switch (state) {
      case UNCONNECTED, CONNECTING, DEAD -> die();
      case HALF_OPEN -> abort();
      case CONNECTED -> {
        if (linger() == 0 || !in.isEmpty()) {
          abort();
        } else {
          out.orphan();
          endOutput();
          endIfClosed();
        }
      }
      case TIME_WAIT -> throw new AssertionError("closed twice");
    }
  }

  private void endIfClosed() {
    if (!released || !out.isEndAcknowledged() || state != State.CONNECTED) {
      return;
    }
    keepAlive.stop();
    if (!in.hasPeerEnded()) {
      if (!endTimer.isSet()) {
        endTimer.set(FIN_TIMEOUT_NANOS);
      }
    } else if (closedFirst) {
      state = State.TIME_WAIT;
      endTimer.set(TIME_WAIT_NANOS);
    } else {
      die();
    }
  }

  // Readiness.

  private boolean isWritable() {
    return out.hasEnded() || room() >= out.size() / 2;
  }

  @Override
  public int poll() {
    if (state == State.UNCONNECTED) {
      return OUT | HANG_UP;
    }
    if (state == State.CONNECTING || state == State.HALF_OPEN) {
      return 0;
    }
    int bits = 0;
    if (isOver() || !in.isEmpty() || in.hasEnded()) {
      bits |= IN;
    }
    if (isOver() || isWritable()) {
      bits |= OUT;
    }
    if (error != null) {
      bits |= ERROR;
    }
    if (isOver() || (out.hasEnded() && in.hasEnded())) {
      bits |= HANG_UP;
    }
    return bits;
  }
}
