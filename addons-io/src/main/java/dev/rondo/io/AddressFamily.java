package dev.rondo.io;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/// Which kind of addresses a name is to be resolved to.
public enum AddressFamily {
  /// Whatever there is, in the order the system prefers (RFC 6724).
  ANY,
  /// IPv4 only.
  IPV4,
  /// IPv6 only.
  IPV6;

  boolean has(InetAddress address) {
    return switch (this) {
      case ANY -> true;
      case IPV4 -> address instanceof Inet4Address;
      case IPV6 -> address instanceof Inet6Address;
    };
  }
}
