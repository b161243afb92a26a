package dev.rondo.simulation.internal.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The ports of one protocol on one host, and which endpoint has them.
///
/// @param <E> the kind of endpoint
final class Ports<E extends Endpoint> {

  /// What Linux gives to sockets that ask for no port of their own.
  private static final int FIRST_EPHEMERAL = 32_768;

  private static final int LAST_EPHEMERAL = 60_999;

  /// An endpoint's hold on a port.
  ///
  /// @param <E> the kind of endpoint
  static final class Binding<E extends Endpoint> {
    final E endpoint;
    final InetSocketAddress address;
    final boolean reuseAddress;
    final boolean reusePort;

    /// Whether it listens for connections, so that the port cannot be shared by `SO_REUSEADDR`.
    boolean listening;

    Binding(E endpoint, InetSocketAddress address, boolean reuseAddress, boolean reusePort) {
      this.endpoint = endpoint;
      this.address = address;
      this.reuseAddress = reuseAddress;
      this.reusePort = reusePort;
    }

    private boolean mayShare(Binding<E> other) {
      return (reusePort && other.reusePort)
          || (reuseAddress && other.reuseAddress && !listening && !other.listening);
    }

    private boolean overlaps(InetAddress other) {
      InetAddress own = address.getAddress();
      return own.isAnyLocalAddress() || other.isAnyLocalAddress() || own.equals(other);
    }
  }

  private final Map<Integer, List<Binding<E>>> byPort = new TreeMap<>();

  private int lastEphemeral = FIRST_EPHEMERAL - 1;

  /// Binds an endpoint.
  ///
  /// @param wanted port 0 for any free one
  /// @return the binding, or null if the address is in use
  @Nullable Binding<E> bind(
      E endpoint, InetSocketAddress wanted, boolean reuseAddress, boolean reusePort) {
    int port = wanted.getPort() == 0 ? freePort() : wanted.getPort();
    if (port < 0) {
      return null;
    }
    var address = new InetSocketAddress(wanted.getAddress(), port);
    var made = new Binding<>(endpoint, address, reuseAddress, reusePort);
    List<Binding<E>> others = byPort.computeIfAbsent(port, _ -> new ArrayList<>(1));
    if (!isFree(made, others)) {
      return null;
    }
    others.add(made);
    return made;
  }

  /// Adds the binding of an accepted connection, which shares its listener's port.
  void adopt(Binding<E> made) {
    byPort.computeIfAbsent(made.address.getPort(), _ -> new ArrayList<>(1)).add(made);
  }

  private static <E extends Endpoint> boolean isFree(Binding<E> made, List<Binding<E>> others) {
    for (Binding<E> other : others) {
      if (other != made && other.overlaps(made.address.getAddress()) && !made.mayShare(other)) {
        return false;
      }
    }
    return true;
  }

  /// Begins to listen.
  ///
  /// @return whether no other endpoint listens there already
  boolean listen(Binding<E> binding) {
    for (Binding<E> other : at(binding.address.getPort())) {
      if (other.listening
          && other.overlaps(binding.address.getAddress())
          && !(binding.reusePort && other.reusePort)) {
        return false;
      }
    }
    binding.listening = true;
    return true;
  }

  /// Frees all; the next free port is another one than before.
  void clear() {
    byPort.clear();
  }

  private int freePort() {
    int count = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
    for (int i = 0; i < count; i++) {
      lastEphemeral = lastEphemeral == LAST_EPHEMERAL ? FIRST_EPHEMERAL : lastEphemeral + 1;
      if (!byPort.containsKey(lastEphemeral)) {
        return lastEphemeral;
      }
    }
    return -1;
  }

  void release(Binding<E> binding) {
    int port = binding.address.getPort();
    List<Binding<E>> others = byPort.get(port);
    if (others != null && others.remove(binding) && others.isEmpty()) {
      byPort.remove(port);
    }
  }

  /// {@return the bindings that an address belongs to, the most recent one first; those of the
  /// exact address before those of every address}
  List<Binding<E>> at(InetSocketAddress address) {
    var exact = new ArrayList<Binding<E>>();
    var wildcard = new ArrayList<Binding<E>>();
    for (Binding<E> each : byPort.getOrDefault(address.getPort(), List.of()).reversed()) {
      InetAddress own = each.address.getAddress();
      if (own.equals(address.getAddress())) {
        exact.add(each);
      } else if (own.isAnyLocalAddress()) {
        wildcard.add(each);
      }
    }
    exact.addAll(wildcard);
    return exact;
  }

  /// {@return all bindings of a port}
  List<Binding<E>> at(int port) {
    return List.copyOf(byPort.getOrDefault(port, List.of()));
  }
}
