package dev.rondo.simulation.threads.internal.net;

import dev.rondo.simulation.internal.threads.HostSeat;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;

/// The names of the simulated network, as the JDK has them on a host.
///
/// Confined to the world's thread and the threads that it carries.
public final class HostNames {

  private final HostSeat seat;

  public HostNames(HostSeat seat) {
    this.seat = seat;
  }

  /// {@return the addresses of a name, which they have}
  ///
  /// @throws UnknownHostException if no host has the name
  public InetAddress[] addresses(String name) throws UnknownHostException {
    try {
      var found = new ArrayList<InetAddress>();
      for (InetAddress each : seat.names().addresses(name)) {
        found.add(InetAddress.getByAddress(name, each.getAddress()));
      }
      return found.toArray(InetAddress[]::new);
    } catch (UnknownHostException e) {
      throw new UnknownHostException(name + ": " + e.getMessage());
    }
  }

  /// {@return the name of an address; its digits if no host has it}
  public String nameOf(InetAddress address) {
    try {
      return seat.names().name(address);
    } catch (UnknownHostException e) {
      return address.getHostAddress();
    }
  }

  /// {@return the address of the host, with its name}
  public InetAddress localHost() {
    try {
      return InetAddress.getByAddress(seat.name(), seat.address().getAddress());
    } catch (UnknownHostException e) {
      throw new AssertionError("an address has 4 or 16 bytes", e);
    }
  }
}
