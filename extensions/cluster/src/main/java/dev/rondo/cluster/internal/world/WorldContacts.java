package dev.rondo.cluster.internal.world;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The addresses at which a member in a world looks for others: those of its configuration, and
/// those where members were lately. So parts of a cluster that was cut find each other again, also
/// if their configurations do not name each other.
///
/// Confined to the world's thread.
public final class WorldContacts {

  /// How often it looks for members at an address.
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// So many addresses without a member are kept, those that had one last. Processes that listen on
  /// free ports leave one each time that they are killed.
  private static final int MOST_LEARNED = 100;

  private static final class Contact {
    private final InetSocketAddress address;
    private final boolean given;

    /// Null if this member has not looked there.
    private @Nullable Long lookedNanos;

    /// When a member was known there last.
    private long knownNanos;

    Contact(InetSocketAddress address, boolean given, long now) {
      this.address = address;
      this.given = given;
      this.knownNanos = now;
    }

    boolean isDue(long now) {
      return lookedNanos == null || now - lookedNanos >= AGAIN_NANOS;
    }
  }

  private final InetSocketAddress self;
  private final Map<InetSocketAddress, Contact> contacts = new LinkedHashMap<>();

  /// @param self where this member listens
  /// @param given the addresses of the configuration, which are never forgotten
  WorldContacts(InetSocketAddress self, List<InetSocketAddress> given) {
    this.self = self;
    given.stream()
        .filter(each -> !each.equals(self))
        .forEach(each -> contacts.put(each, new Contact(each, true, 0)));
  }

  /// A member listens there.
  void learn(InetSocketAddress address, long now) {
    if (!address.equals(self)) {
      Contact _ = contacts.computeIfAbsent(address, it -> new Contact(it, false, now));
    }
  }

  /// The member that has listened there has left. If it comes back, it looks for others itself.
  void left(InetSocketAddress address) {
    Contact contact = contacts.get(address);
    if (contact != null && !contact.given) {
      contacts.remove(address);
    }
  }

  /// {@return where to look for a member now}
  ///
  /// @param known the addresses of members that are known
  List<InetSocketAddress> due(Set<InetSocketAddress> known, long now) {
    var due = new ArrayList<InetSocketAddress>();
    var learned = new ArrayList<Contact>();
    for (Contact each : contacts.values()) {
      if (known.contains(each.address)) {
        each.knownNanos = now;
        continue;
      }
      if (!each.given) {
        learned.add(each);
      }
      if (each.isDue(now)) {
        each.lookedNanos = now;
        due.add(each.address);
      }
    }
    learned.sort(Comparator.comparingLong(each -> each.knownNanos));
    learned.stream()
        .limit(Math.max(0, learned.size() - MOST_LEARNED))
        .forEach(each -> contacts.remove(each.address));
    return due;
  }
}
