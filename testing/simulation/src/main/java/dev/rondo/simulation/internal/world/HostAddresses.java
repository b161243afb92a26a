package dev.rondo.simulation.internal.world;

import java.util.HashSet;
import java.util.Set;

/// Gives hosts addresses: 10.0.0.1, 10.0.0.2 and so on.
public final class HostAddresses {

  private static final int BYTE = 256;
  private static final int NETWORK = 10;

  private final Set<String> taken = new HashSet<>();
  private int last;

  /// A host has chosen its address.
  public void taken(String address) {
    boolean _ = taken.add(address);
  }

  /// {@return the next one that is free}
  public String next() {
    String found;
    do {
      last++;
      found = NETWORK + "." + last / BYTE / BYTE + "." + last / BYTE % BYTE + "." + last % BYTE;
    } while (last % BYTE == 0 || last % BYTE == BYTE - 1 || taken.contains(found));
    return found;
  }
}
