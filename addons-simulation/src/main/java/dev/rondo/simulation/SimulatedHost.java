package dev.rondo.simulation;

import dev.rondo.io.WaitForIO;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.nio.HostProvider;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/// A host of a [SimulatedNetwork]: it has addresses, ports and descriptors of its own. Besides its
/// own addresses it has the loopback addresses.
///
/// Confined to the network's thread.
public final class SimulatedHost {

  private final SimulatedNetwork network;
  private final Host host;
  private final SelectorProvider provider;

  SimulatedHost(SimulatedNetwork network, Host host) {
    this.network = network;
    this.host = host;
    this.provider = new HostProvider(host);
  }

  /// {@return the name of this host}
  public String name() {
    return host.toString();
  }

  /// {@return the addresses of this host without those of loopback; what it sends comes from the
  /// first of the receiver's family}
  public List<InetAddress> addresses() {
    return host.addresses();
  }

  /// {@return what opens the selectors and channels of this host}
  ///
  /// They behave as the JDK's do on Linux. Differences on purpose: there are no Unix domain
  /// sockets; in blocking mode an operation lets the network's time pass until it is done, and
  /// fails with a [SimulationStalledException] if that can never be; any
  /// [java.net.NetworkInterface] stands for the only one of the host.
  public SelectorProvider provider() {
    return provider;
  }

  /// Installs the IO add-on of a scheduler that runs on this host: all its sockets and listeners
  /// are simulated, and its clock jumps to the events of the network as to the deadlines of its
  /// timers. If all tasks wait and nothing can happen any more, the waits for sockets fail. Never a
  /// suspension point.
  ///
  /// @param scheduler made with the clock of the network, on its own thread
  /// @return the add-on
  /// @throws IllegalStateException if the network has no [dev.rondo.time.VirtualClock] or another
  ///   one than the scheduler, or the scheduler has IO already
  public WaitForIO install(Scheduler scheduler) {
    network.join(scheduler);
    return WaitForIO.install(scheduler, provider);
  }

  /// Limits how many descriptors may be open on this host; a channel has one, a pipe and a selector
  /// have two each. Beyond that opening and accepting fail with "Too many open files".
  ///
  /// @param max at least zero; those that are open stay open
  /// @return this host
  /// @throws IllegalArgumentException if it is negative
  public SimulatedHost maxDescriptors(int max) {
    if (max < 0) {
      throw new IllegalArgumentException("maxDescriptors must be at least 0: max=" + max);
    }
    host.maxDescriptors(max);
    return this;
  }

  /// {@return how many descriptors are open on this host} For leak checks.
  public int openDescriptors() {
    return host.descriptors();
  }

  @Override
  public String toString() {
    return "host '" + name() + "'";
  }
}
