package dev.rondo.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Asks the operating system: the default of [WaitForName].
final class SystemNameResolver implements NameResolver {

  static final NameResolver INSTANCE = new SystemNameResolver();

  private SystemNameResolver() {}

  @Override
  public List<InetAddress> addresses(String host) throws UnknownHostException {
    return List.of(InetAddress.getAllByName(host));
  }

  @Override
  public String name(InetAddress address) throws UnknownHostException {
    String name = address.getCanonicalHostName();
    if (name.equals(address.getHostAddress())) {
      throw new UnknownHostException("the system has none");
    }
    return name;
  }

  @Override
  public String toString() {
    return "the system's resolver";
  }
}
