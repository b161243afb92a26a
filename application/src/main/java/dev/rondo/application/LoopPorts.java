package dev.rondo.application;

import dev.rondo.io.SocketOptions;
import dev.rondo.io.TcpListener;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The ports that one loop of a group shares. It closes its listeners with the loop.
///
/// Confined to the loop's thread.
final class LoopPorts implements AddOn {

  private static final int BACKLOG = 1_024;

  private final LoopGroup.Member loop;
  private final GroupPorts group;
  private final Map<InetSocketAddress, LoopListener> open = new LinkedHashMap<>();

  /// How often the loop has listened on any free port, by interface.
  private final Map<InetAddress, Integer> anyPorts = new HashMap<>();

  private LoopPorts(LoopGroup.Member loop, GroupPorts group) {
    this.loop = loop;
    this.group = group;
  }

  static LoopPorts of(LoopGroup.Member loop, GroupPorts group) {
    Scheduler scheduler = loop.app().scheduler();
    LoopPorts found = scheduler.host().addOn(LoopPorts.class);
    if (found == null) {
      found = new LoopPorts(loop, group);
      scheduler.host().install(found);
    }
    return found;
  }

  LoopListener listen(InetSocketAddress address) throws IOException {
    Objects.requireNonNull(address, "address is null");
    loop.app().scheduler().host().checkThread();
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("address must be resolved: address=" + address);
    }
    if (address.getPort() != 0) {
      return listenOn(uniform(address));
    }
    int ordinal = anyPorts.getOrDefault(address.getAddress(), 0);
    LoopListener listener = group.listenOnAny(uniform(address), ordinal, this::listenOn);
    anyPorts.put(address.getAddress(), ordinal + 1);
    return listener;
  }

  /// The JDK has two addresses for all interfaces, which mean the same.
  private static InetSocketAddress uniform(InetSocketAddress address) {
    return address.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(address.getPort())
        : address;
  }

  private LoopListener listenOn(InetSocketAddress address) throws IOException {
    if (open.containsKey(address)) {
      throw new BindException(
          "loop '%s' already listens on %s: a loop may listen once on an address"
              .formatted(loop.name(), address));
    }
    LoopListener made =
        group.isDealt(loop.app().io().provider()) ? dealt(address) : reusing(address);
    open.put(made.localAddress(), made);
    return made;
  }

  private LoopListener reusing(InetSocketAddress address) throws IOException {
    TcpListener listener =
        loop.app()
            .io()
            .listen(address, BACKLOG, SocketOptions.of(StandardSocketOptions.SO_REUSEPORT, true));
    return new ReusedPortListener(listener, () -> open.remove(listener.localAddress()));
  }

  private LoopListener dealt(InetSocketAddress address) throws IOException {
    return group
        .acceptor()
        .share(
            loop.app(),
            address,
            BACKLOG,
            port -> new DealtPortListener(loop.app(), port, () -> open.remove(port.address())));
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    return StepResult.SUSPEND;
  }

  @Override
  public void close() throws IOException {
    for (LoopListener each : List.copyOf(open.values())) {
      each.close();
    }
  }
}
