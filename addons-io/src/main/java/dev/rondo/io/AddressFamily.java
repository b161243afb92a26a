package dev.rondo.io;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/// The family of addresses to resolve a name to.
public enum AddressFamily {
  /// Any, in the order that the system prefers (RFC 6724).
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
