package dev.rondo.io;

import dev.rondo.io.internal.channel.ChannelSelector;
import dev.rondo.io.internal.channel.IoErrors;
import dev.rondo.io.internal.channel.Reactor;
import dev.rondo.scheduler.Scheduler;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;

/// The members of this package that tests of its internals need.
public final class Reactors {

  public static final IoErrors FAILURES = IoFailures.INSTANCE;

  private Reactors() {}

  /// The IO add-on of a scheduler with a selector of the test's own.
  public static WaitForIO io(
      Scheduler scheduler, Selector selector, ChannelSelector.Opener opener) {
    return new WaitForIO(scheduler, selector, opener);
  }

  public static Reactor of(WaitForIO io) {
    return io.reactor();
  }

  public static Reactor of(Scheduler scheduler) {
    return WaitForIO.on(scheduler).reactor();
  }

  /// A listener with a channel of the test's own.
  public static TcpListener listener(
      WaitForIO io, ServerSocketChannel channel, InetSocketAddress address) throws Exception {
    return new TcpListener(io.reactor(), channel, address);
  }
}
