package dev.rondo.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Names to addresses and back by the system, see [NameResolver#system()].
final class SystemNameResolver {

  static final NameResolver SYSTEM =
      new NameResolver() {
        @Override
        public List<InetAddress> addresses(String host) throws UnknownHostException {
          return List.of(InetAddress.getAllByName(host));
        }

        @Override
        public String name(InetAddress address) throws UnknownHostException {
          String name = address.getCanonicalHostName();
          if (name.equals(address.getHostAddress())) {
            throw new UnknownHostException("the system knows none");
          }
          return name;
        }

        @Override
        public String toString() {
          return "the system's resolver";
        }
      };

  private SystemNameResolver() {}
}
