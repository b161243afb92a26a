package dev.rondo.simulation.internal.world;

import dev.rondo.io.NameResolver;
import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.Network;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// The names of a network's hosts, and `localhost`.
///
/// @param network whose hosts
public record NetworkNames(Network network) implements NameResolver {

  private static final String LOCALHOST = "localhost";
  private static final List<InetAddress> LOOPBACK =
      List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public List<InetAddress> addresses(String host) throws UnknownHostException {
    network.enter();
    if (host.equalsIgnoreCase(LOCALHOST)) {
      return LOOPBACK;
    }
    List<InetAddress> found =
        network.hosts().stream()
            .filter(each -> each.toString().equalsIgnoreCase(host))
            .flatMap(each -> each.addresses().stream())
            .toList();
    if (found.isEmpty()) {
      throw new UnknownHostException("no host of the simulated network has it");
    }
    return found;
  }

  @Override
  public String name(InetAddress address) throws UnknownHostException {
    network.enter();
    if (address.isLoopbackAddress()) {
      return LOCALHOST;
    }
    return network.hosts().stream()
        .filter(each -> each.addresses().contains(address))
        .map(Host::toString)
        .findFirst()
        .orElseThrow(() -> new UnknownHostException("no host of the simulated network has it"));
  }
}
