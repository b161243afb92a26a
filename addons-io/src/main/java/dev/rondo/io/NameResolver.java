package dev.rondo.io;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Looks up names and addresses. The default asks the operating system, which reads `/etc/hosts`
/// and the like. The methods may block, and are called on several threads, unless [#mayBlock()]
/// says otherwise.
public interface NameResolver {

  /// {@return the addresses of a host, the preferred ones first; at least one}
  ///
  /// @param host not numeric
  /// @throws UnknownHostException if there is no such host
  List<InetAddress> addresses(String host) throws UnknownHostException;

  /// {@return the name of an address}
  ///
  /// @param address any
  /// @throws UnknownHostException if the address has no name
  String name(InetAddress address) throws UnknownHostException;

  /// {@return whether the other methods may block} If not, they are called on the scheduler's
  /// thread, and a lookup is not a suspension point.
  default boolean mayBlock() {
    return true;
  }
}
