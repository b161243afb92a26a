package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One side of a TCP connection (RFC 9293), as Linux has it.
///
/// | from | to | because |
/// |---|---|---|
/// | UNCONNECTED | CONNECTING | the program connects |
/// | UNCONNECTED | HALF_OPEN | a listener answers a peer |
/// | CONNECTING | CONNECTED | the peer has answered |
/// | HALF_OPEN | CONNECTED | the peer has confirmed |
/// | any | DEAD | a reset, a failure, or both sides have closed |
public final class TcpConnection extends Endpoint {

  private enum State {
    UNCONNECTED,
    CONNECTING,
    HALF_OPEN,
    CONNECTED,
    DEAD
  }

  /// The longest segment, as over loopback.
  private static final int MAX_SEGMENT_BYTES = 65_483;

  /// How long a closed side waits for the peer to close, too: `tcp_fin_timeout` of Linux.
  private static final long FIN_TIMEOUT_NANOS = 60_000_000_000L;

  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);
  private static final int NO_LINGER = -1;

  private final Host host;
  private final BufferSizes sizes = BufferSizes.ofStream();

  private State state = State.UNCONNECTED;
  private Ports.@Nullable Binding<Endpoint> binding;

  /// Null until it connects.
  private @Nullable Flow flow;

  /// Null unless HALF_OPEN.
  private @Nullable TcpListener listener;

  /// What the next operation reports.
  private @Nullable SystemError error;

  private int lingerSeconds = NO_LINGER;

  /// Whether the program has closed it.
  private boolean released;

  // Outward.

  private final ByteQueue unsent = new ByteQueue();
  private long inFlight;
  private long peerWindow;
  private long sent;
  private boolean outputEnded;
  private boolean finSent;
  private boolean finAcknowledged;
  private boolean closedFirst;

  // Inward.

  private final ByteQueue received = new ByteQueue();
  private final TreeMap<Long, Segment> early = new TreeMap<>();
  private long expected;
  private long advertised;
  private boolean finReceived;
  private boolean inputEnded;

  /// Creates a socket that is not connected.
  ///
  /// @param host where it is
  public TcpConnection(Host host) {
    this.host = host;
  }

  /// {@return the sizes of its buffers}
  public BufferSizes sizes() {
    return sizes;
  }

  /// Sets `SO_LINGER`.
  ///
  /// @param seconds negative for none
  public void linger(int seconds) {
    lingerSeconds = seconds;
  }

  /// {@return `SO_LINGER`, negative for none}
  public int linger() {
    return lingerSeconds;
  }

  /// {@return this side's address; null if it is not bound}
  public @Nullable InetSocketAddress localAddress() {
    Flow known = flow;
    if (known != null) {
      return known.local();
    }
    Ports.Binding<Endpoint> bound = binding;
    return bound == null ? null : bound.address;
  }

  /// {@return the peer's address; null until it connects}
  public @Nullable InetSocketAddress remoteAddress() {
    Flow known = flow;
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
    if (!host.hasAddress(address.getAddress())) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    binding = host.tcpPorts().bind(this, address, reuseAddress, reusePort);
    if (binding == null) {
      throw SystemError.ADDRESS_IN_USE.exception();
    }
  }

  /// Begins to connect. See [#isConnecting()].
  ///
  /// @param remote the peer
  /// @throws IOException if there is no port left, or the two addresses have a connection already
  public void connect(InetSocketAddress remote) throws IOException {
    InetAddress source = host.sourceFor(remote.getAddress());
    if (binding == null) {
      bind(new InetSocketAddress(source, 0), false, false);
    }
    Ports.Binding<Endpoint> bound = binding;
    if (bound == null) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    InetSocketAddress local =
        bound.address.getAddress().isAnyLocalAddress()
            ? new InetSocketAddress(source, bound.address.getPort())
            : bound.address;
    var wanted = new Flow(local, remote);
    TcpConnection other = host.connection(wanted);
    if (other != null && !other.isOver()) {
      throw SystemError.ADDRESS_NOT_AVAILABLE.exception();
    }
    flow = wanted;
    state = State.CONNECTING;
    host.put(wanted, this);
    send(Segment.Kind.SYN, NO_DATA, 0);
  }

  /// A listener answers a peer that connects.
  void answer(Flow wanted, Segment syn, Ports.Binding<Endpoint> bound, TcpListener answering) {
    flow = wanted;
    binding = bound;
    listener = answering;
    state = State.HALF_OPEN;
    peerWindow = syn.window();
    expected = syn.sequence() + 1;
    host.put(wanted, this);
    send(Segment.Kind.SYN_ACK, NO_DATA, 0);
  }

  /// {@return whether the peer has not answered yet}
  public boolean isConnecting() {
    return state == State.CONNECTING;
  }

  /// Reports a failure that waits to be reported.
  ///
  /// @throws IOException if there is one
  public void throwError() throws IOException {
    SystemError pending = error;
    if (pending != null) {
      error = null;
      throw pending.exception();
    }
  }

  // Reading and writing.

  /// {@return whether a read has something to return or to throw}
  public boolean isReadable() {
    return !received.isEmpty() || finReceived || error != null || state == State.DEAD;
  }

  /// {@return whether a write has room, or something to throw}
  public boolean hasRoom() {
    return outputEnded || state == State.DEAD || room() > 0;
  }

  private long room() {
    return sizes.send() - unsent.size() - inFlight;
  }

  /// Reads what there is.
  ///
  /// @param target where to
  /// @return how many bytes; 0 if there is nothing yet; -1 at the end
  /// @throws IOException if the connection has failed; reported once
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (!received.isEmpty()) {
      int count = received.moveTo(target);
      updateWindow();
      return count;
    }
    if (finReceived) {
      return -1;
    }
    throwError();
    return state == State.DEAD ? -1 : 0;
  }

  /// Writes what there is room for.
  ///
  /// @param source where from
  /// @return how many bytes
  /// @throws IOException if the connection has failed, or this side has ended its output
  public int write(ByteBuffer source) throws IOException {
    throwError();
    if (outputEnded || state == State.DEAD) {
      throw SystemError.BROKEN_PIPE.exception();
    }
    int count = Math.clamp(room(), 0, source.remaining());
    if (count > 0) {
      unsent.addFrom(source, count);
      flush();
    }
    return count;
  }

  private void flush() {
    while (!unsent.isEmpty() && peerWindow > inFlight) {
      long most = Math.min(peerWindow - inFlight, MAX_SEGMENT_BYTES);
      ByteBuffer data = unsent.take((int) Math.min(most, unsent.size()));
      inFlight += data.remaining();
      send(Segment.Kind.DATA, data, 0);
    }
    if (outputEnded && !finSent && unsent.isEmpty()) {
      finSent = true;
      closedFirst = !finReceived;
      send(Segment.Kind.FIN, NO_DATA, 0);
    }
  }

  private void send(Segment.Kind kind, ByteBuffer data, long acknowledged) {
    Flow own = flow;
    if (own != null) {
      advertised = window();
      host.network()
          .send(host, new Segment(own, kind, sent++, data, acknowledged, advertised, this));
    }
  }

  private long window() {
    return Math.max(0, sizes.receive() - received.size());
  }

  /// Tells the peer of room, but not of every little (RFC 9293, 3.8.6.2.2).
  private void updateWindow() {
    long gained = window() - advertised;
    if (!finReceived
        && state == State.CONNECTED
        && gained >= Math.min(sizes.receive() / 2, MAX_SEGMENT_BYTES)) {
      send(Segment.Kind.ACK, NO_DATA, 0);
    }
  }

  /// {@return whether the peer has taken all that was written}
  public boolean isFlushed() {
    return state == State.DEAD || (unsent.isEmpty() && inFlight == 0);
  }

  // Segments.

  /// Whether a segment belongs to this incarnation of the connection.
  boolean accepts(Segment segment) {
    return switch (segment.kind()) {
      case RST -> true;
      case SYN -> state == State.HALF_OPEN && expected == 1;
      case SYN_ACK -> state == State.CONNECTING || state == State.CONNECTED;
      case DATA, ACK, FIN, FIN_ACK -> state != State.CONNECTING;
    };
  }

  /// A segment has arrived, maybe too early or a second time.
  void arrived(Segment segment) {
    if (segment.kind() == Segment.Kind.RST) {
      reset();
      return;
    }
    if (segment.sequence() >= expected && state != State.DEAD) {
      early.put(segment.sequence(), segment);
    }
    Segment next;
    while ((next = early.remove(expected)) != null) {
      expected++;
      take(next);
    }
  }

  private void take(Segment segment) {
    switch (segment.kind()) {
      case SYN, RST -> throw new AssertionError(segment);
      case SYN_ACK -> {
        state = State.CONNECTED;
        peerWindow = segment.window();
        send(Segment.Kind.ACK, NO_DATA, 0);
        changed();
      }
      case ACK -> takeAcknowledgement(segment);
      case DATA -> takeData(segment);
      case FIN -> {
        finReceived = true;
        send(Segment.Kind.FIN_ACK, NO_DATA, 0);
        changed();
        endIfClosed();
      }
      case FIN_ACK -> {
        finAcknowledged = true;
        changed();
        endIfClosed();
      }
    }
  }

  private void takeAcknowledgement(Segment segment) {
    TcpListener waiting = listener;
    inFlight -= segment.acknowledged();
    peerWindow = segment.window();
    if (waiting != null) {
      listener = null;
      state = State.CONNECTED;
      waiting.established(this);
    }
    flush();
    if (isWritable()) {
      changed();
    }
  }

  private void takeData(Segment segment) {
    if (released) {
      abort();
      return;
    }
    int count = segment.data().remaining();
    received.add(segment.data());
    send(Segment.Kind.ACK, NO_DATA, count);
    changed();
  }

  private void reset() {
    if (state == State.CONNECTING) {
      fail(SystemError.CONNECTION_REFUSED);
    } else {
      fail(finReceived ? SystemError.BROKEN_PIPE : SystemError.CONNECTION_RESET);
    }
  }

  /// The connection has failed.
  void fail(SystemError why) {
    if (state != State.DEAD) {
      error = why;
      die();
    }
  }

  private void die() {
    state = State.DEAD;
    unsent.clear();
    early.clear();
    inFlight = 0;
    TcpListener waiting = listener;
    if (waiting != null) {
      listener = null;
      waiting.failed(this);
    }
    Flow own = flow;
    if (own != null) {
      host.remove(own, this);
    }
    if (released || waiting != null) {
      freePort(); // no program has the socket
    }
    changed();
  }

  /// The host has lost its power.
  void vanish() {
    released = true;
    error = SystemError.TIMED_OUT;
    die();
  }

  private void freePort() {
    Ports.Binding<Endpoint> bound = binding;
    if (bound != null) {
      binding = null;
      host.tcpPorts().release(bound);
    }
  }

  /// {@return whether what was sent may be sent again}
  boolean mayRetransmit() {
    return state != State.DEAD || (released && error == null);
  }

  private boolean isOver() {
    return state == State.DEAD || (released && finReceived && finAcknowledged);
  }

  // The end.

  /// Ends this side's input: reads return the end. What arrives is acknowledged.
  public void endInput() {
    inputEnded = true;
    changed();
  }

  /// Ends this side's output: the peer reads the end after all that was written.
  public void endOutput() {
    if (!outputEnded) {
      outputEnded = true;
      flush();
      changed();
    }
  }

  /// Resets the connection.
  public void abort() {
    Flow own = flow;
    if (own != null && state != State.DEAD) {
      host.network().send(host, Segment.reset(own));
    }
    released = true;
    die();
  }

  /// The program has closed the socket. What it has written still arrives, unless it left something
  /// unread or set `SO_LINGER` to 0.
  public void close() {
    if (released) {
      return;
    }
    released = true;
    switch (state) {
      case UNCONNECTED, CONNECTING, DEAD -> die();
      case HALF_OPEN -> abort();
      case CONNECTED -> {
        if (lingerSeconds == 0 || !received.isEmpty()) {
          abort();
        } else {
          endOutput();
          endIfClosed();
        }
      }
    }
  }

  private void endIfClosed() {
    if (!released || !finAcknowledged || state == State.DEAD) {
      return;
    }
    Flow own = flow;
    if (own == null) {
      throw new AssertionError("closed without a connection");
    }
    if (!finReceived) {
      host.timeline().after(FIN_TIMEOUT_NANOS, this::endWithoutPeer);
    } else if (closedFirst) {
      host.waitBeforeRemoving(own, this, this::freePort);
    } else {
      die();
    }
  }

  private void endWithoutPeer() {
    if (!finReceived && state != State.DEAD) {
      die();
    }
  }

  // Readiness.

  private boolean isWritable() {
    long used = unsent.size() + inFlight;
    return outputEnded || room() >= used / 2;
  }

  @Override
  public int poll() {
    if (state == State.UNCONNECTED) {
      return OUT | HANG_UP;
    }
    if (state == State.CONNECTING || state == State.HALF_OPEN) {
      return 0;
    }
    boolean dead = state == State.DEAD;
    int bits = 0;
    if (dead || !received.isEmpty() || finReceived || inputEnded) {
      bits |= IN;
    }
    if (dead || isWritable()) {
      bits |= OUT;
    }
    if (error != null) {
      bits |= ERROR;
    }
    if (dead || (outputEnded && (finReceived || inputEnded))) {
      bits |= HANG_UP;
    }
    return bits;
  }
}
