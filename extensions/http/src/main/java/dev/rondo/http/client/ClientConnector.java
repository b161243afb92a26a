package dev.rondo.http.client;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.io.WaitForName;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens connections for a client, in the task that needs one.
///
/// Confined to the scheduler's thread.
final class ClientConnector {

  /// The number of bytes that a server may send ahead of the tasks that read, on all streams of a
  /// connection together.
  private static final int WINDOW_BYTES = 1 << 20;

  private final Scheduler scheduler;
  private final WaitForNetty netty;
  private final ClientSetup setup;

  ClientConnector(Scheduler scheduler, WaitForNetty netty, ClientSetup setup) {
    this.scheduler = scheduler;
    this.netty = netty;
    this.setup = setup;
  }

  /// A connection that requests can be sent on.
  ///
  /// @param channel of the connection
  /// @param peer null for HTTP/1.1
  record Opened(ChannelControl channel, @Nullable Http2Peer peer) {}

  /// Opens a connection. A *possible* suspension point. On any failure the channel is closed.
  Opened open(Origin origin) throws IOException {
    try {
      return scheduler.within(setup.limits().connect(), () -> openAny(origin));
    } catch (TimedOutException e) {
      HttpProxy proxy = setup.proxyFor(origin);
      String where = proxy == null ? origin.toString() : origin + " through " + proxy;
      throw caused(new SocketTimeoutException("connect to " + where + ": " + e.getMessage()), e);
    }
  }

  /// Tries the addresses of a host in turn. Each address except the last has its share of the time.
  private Opened openAny(Origin origin) throws IOException {
    HttpProxy proxy = setup.proxyFor(origin);
    int port = proxy == null ? origin.port() : proxy.port();
    List<InetAddress> left = new ArrayList<>(addresses(origin, proxy));
    Duration part = setup.limits().connect().dividedBy(left.size());
    Exception failed = null;
    while (left.size() > 1) {
      var address = new InetSocketAddress(left.removeFirst(), port);
      try {
        return scheduler.within(part, () -> openAt(origin, address));
      } catch (IOException | TimedOutException e) {
        if (failed != null) {
          e.addSuppressed(failed);
        }
        failed = e;
      }
    }
    try {
      return openAt(origin, new InetSocketAddress(left.getFirst(), port));
    } catch (IOException e) {
      if (failed != null) {
        e.addSuppressed(failed);
      }
      throw e;
    }
  }

  private List<InetAddress> addresses(Origin origin, @Nullable HttpProxy proxy) throws IOException {
    WaitForName names = WaitForName.on(scheduler);
    if (proxy == null) {
      return names.resolve(origin.host());
    }
    try {
      return names.resolve(proxy.host());
    } catch (UnknownHostException e) {
      throw caused(new UnknownHostException(proxy + ": " + e.getMessage()), e);
    }
  }

  private static <E extends Exception> E caused(E failure, Exception cause) {
    var _ = failure.initCause(cause);
    return failure;
  }

  private Opened openAt(Origin origin, InetSocketAddress address) throws IOException {
    var pipeline = new ClientPipeline(setup, origin, address);
    Bootstrap bootstrap = netty.bootstrap();
    var _ =
        bootstrap.option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS, 0); // the connector has its own limit
    setup.options().accept(bootstrap);
    ChannelControl channel = connect(bootstrap.handler(pipeline), origin, address);
    boolean done = false;
    try {
      Http2Peer peer = netty.await(pipeline.ready());
      if (peer != null) {
        channel.send(new DefaultHttp2WindowUpdateFrame(WINDOW_BYTES));
      }
      done = true;
      return new Opened(channel, peer);
    } finally {
      if (!done) {
        ClientPipeline.abandonTunnel(channel.channel());
        channel.close();
      }
    }
  }

  private ChannelControl connect(Bootstrap bootstrap, Origin origin, InetSocketAddress address)
      throws IOException {
    try {
      return ChannelControl.of(scheduler.host().awaitEvent(netty.connecting(bootstrap, address)));
    } catch (Exception e) {
      HttpProxy proxy = setup.proxyFor(origin);
      if (proxy != null && e instanceof ConnectException) {
        throw caused(new ConnectException(proxy + ": " + e.getMessage()), e);
      }
      throw MessageWire.<RuntimeException>thrown(e);
    }
  }
}
