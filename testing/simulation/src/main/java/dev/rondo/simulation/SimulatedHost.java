package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import dev.rondo.io.WaitForIO;
import dev.rondo.io.WaitForName;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.nio.HostProvider;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;

/// A host of a [SimulatedNetwork]: it has addresses, ports and descriptors of its own. Besides its
/// own addresses it has the loopback addresses.
///
/// Confined to the network's thread.
public final class SimulatedHost {

  private final SimulatedNetwork network;
  private final Host host;
  private final HostProvider provider;

  SimulatedHost(SimulatedNetwork network, Host host) {
    this.network = network;
    this.host = host;
    this.provider = new HostProvider(host);
  }

  Host kernelIn(SimulatedNetwork expected) {
    if (network != expected) {
      throw new IllegalArgumentException("the host is of another network: host=" + name());
    }
    return host;
  }

  /// {@return the name of this host}
  String name() {
    return host.toString();
  }

  /// {@return the addresses of this host without those of loopback; what it sends comes from the
  /// first of the receiver's family}
  public List<InetAddress> addresses() {
    return host.addresses();
  }

  /// {@return what opens the selectors and channels of this host}
  ///
  /// They behave as the JDK's do on Linux. There are three differences on purpose. The paths of
  /// Unix domain sockets are names of this host and in no file system, so they need no directory,
  /// have no permissions, and are free when their socket was closed. In blocking mode an operation
  /// lets the network's time pass until it is done, and fails with a [SimulationStalledException]
  /// if that can never be. Any [java.net.NetworkInterface] stands for the only one of the host.
  public SelectorProvider provider() {
    return provider;
  }

  /// Installs the IO add-on of a scheduler that runs on this host: all its sockets and listeners
  /// are simulated, and its clock jumps to the events of the network as to the deadlines of its
  /// timers. If all tasks wait and nothing can happen any more, the waits for sockets fail. Its
  /// names are those of the network, and `localhost`; an unknown name fails. Never a suspension
  /// point.
  ///
  /// @param scheduler made with the clock of the network, on its own thread
  /// @return the add-on
  /// @throws IllegalStateException if the network has no [dev.rondo.time.VirtualClock] or another
  ///   one than the scheduler, or the scheduler has IO already
  public WaitForIO install(Scheduler scheduler) {
    network.join(requireNonNull(scheduler, "scheduler is null"));
    return installOn(scheduler);
  }

  WaitForIO installOn(Scheduler scheduler) {
    WaitForIO io = WaitForIO.on(scheduler, provider);
    WaitForName.on(scheduler).resolver(network.names());
    return io;
  }

  /// The kernel's part of this host.
  Host kernel() {
    return host;
  }

  /// Limits how many descriptors may be open on this host; a channel has one, a pipe and a selector
  /// have two each. Beyond that opening and accepting fail with "Too many open files".
  ///
  /// @param max at least zero; open descriptors stay open
  /// @return this host
  /// @throws IllegalArgumentException if it is negative
  public SimulatedHost maxDescriptors(int max) {
    if (max < 0) {
      throw new IllegalArgumentException("maxDescriptors must be at least 0: max=" + max);
    }
    host.files().max(max);
    return this;
  }

  /// {@return how many descriptors are open on this host} For leak checks.
  public int openDescriptors() {
    return host.files().count();
  }

  /// Removes the path of a Unix socket, as another process could. The socket goes on, but nothing
  /// can connect to it any more.
  ///
  /// @param path of a socket of this host, or of none
  /// @return this host
  SimulatedHost removeUnixPath(Path path) {
    provider.remove(requireNonNull(path, "path is null"));
    return this;
  }

  // Failing.

  /// Kills the program of this host, as `kill -9` does; the kernel goes on. It closes what the
  /// program had open: a peer reads the end of its connection, or finds it reset if the program had
  /// left bytes unread. Connections that wait to be accepted are reset, and the ports of the
  /// program answer that nothing is there. Bytes that the program has written still arrive.
  ///
  /// All channels and selectors of this host are closed: an operation fails with a
  /// [java.nio.channels.ClosedChannelException] or a [java.nio.channels.ClosedSelectorException].
  /// Until [#restart()] none can be opened. A scheduler that runs on this host is not stopped.
  ///
  /// @throws IllegalStateException if no program runs: it has crashed already, or the host is off
  void crash() {
    network.checkThread();
    require(host.isRunning(), "crash");
    host.crash();
  }

  /// Takes the power from this host. It sends nothing any more, not even that a connection is
  /// closed, and what arrives is lost: a peer that connects or sends tries again until it gives up.
  /// Packets that are under way to others arrive.
  ///
  /// Its channels and selectors are closed as by [#crash()]. After [#restart()] the connections are
  /// unknown, and a peer that still uses one finds it reset.
  ///
  /// @throws IllegalStateException if it is off already
  void powerOff() {
    network.checkThread();
    require(host.isUp(), "be powered off");
    host.powerOff();
  }

  /// Lets a program run again, after [#crash()] on the kernel that is still there, after
  /// [#powerOff()] on one that knows nothing but the addresses. The limit on descriptors stays.
  ///
  /// @throws IllegalStateException if one runs
  void restart() {
    network.checkThread();
    require(!host.isRunning(), "restart");
    host.restart();
  }

  /// {@return whether a program can run here: not after [#crash()] and [#powerOff()], until
  /// [#restart()]}
  boolean isRunning() {
    return host.isRunning();
  }

  private void require(boolean possible, String what) {
    if (!possible) {
      throw new IllegalStateException(
          "%s cannot %s: it %s".formatted(this, what, host.condition()));
    }
  }

  @Override
  public String toString() {
    return "host '" + name() + "'";
  }
}
