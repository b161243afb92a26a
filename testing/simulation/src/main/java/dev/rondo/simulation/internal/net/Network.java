package dev.rondo.simulation.internal.net;

import dev.rondo.simulation.internal.Chance;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The hosts, what connects them, and their time.
public final class Network {

  /// Null if all threads that wait move the time.
  private @Nullable Blocker blocker;

  private final Timeline timeline;
  private final Supplier<Chance> chance;
  private final Runnable threadCheck;
  private final Function<String, ? extends RuntimeException> stalled;
  private final Map<InetAddress, Host> byAddress = new LinkedHashMap<>();
  private final List<Host> hosts = new ArrayList<>();

  /// The links that were used or set.
  private final List<Link> links = new ArrayList<>();

  private LinkSettings settings;
  private long sequence;

  /// Null if nothing looks.
  private @Nullable PacketWatch watch;

  /// Creates a network without hosts.
  ///
  /// @param clock its time
  /// @param settings of all links
  /// @param chance what the links draw from
  /// @param threadCheck fails on a wrong thread
  /// @param stalled creates the exception for a wait that cannot end
  public Network(
      Clock clock,
      LinkSettings settings,
      Supplier<Chance> chance,
      Runnable threadCheck,
      Function<String, ? extends RuntimeException> stalled) {
    this.timeline = new Timeline(clock);
    this.settings = settings;
    this.chance = chance;
    this.threadCheck = threadCheck;
    this.stalled = stalled;
  }

  /// {@return the events of this network}
  public Timeline timeline() {
    return timeline;
  }

  /// Begins an operation of a program: events that are due have happened before.
  ///
  /// @throws WrongThreadException on a wrong thread
  public void enter() {
    threadCheck.run();
    timeline.runDue();
  }

  /// Has threads of programs blocked by something that knows them.
  ///
  /// @param added the only one
  public void blocker(Blocker added) {
    blocker = added;
    timeline.whenChanged(added::changed);
  }

  /// The world runs from now on, or stands still.
  public void running(boolean now) {
    Blocker own = blocker;
    if (own == null) {
      return;
    }
    if (now) {
      own.runs();
    } else {
      own.standsStill();
    }
  }

  /// Lets time pass until a condition holds.
  ///
  /// @param condition changes by events only
  /// @param nanos how long at most; [Timeline#NEVER] for any time
  /// @return whether it holds; if not, the time is over, or no event can change it any more
  public boolean runUntil(BooleanSupplier condition, long nanos) {
    long now = timeline.now();
    long deadline = nanos >= Timeline.NEVER - now ? Timeline.NEVER : now + nanos;
    timeline.runDue();
    Blocker own = blocker;
    if (own != null && own.mayBlock()) {
      return condition.getAsBoolean() || own.await(condition, nanos);
    }
    while (!condition.getAsBoolean()) {
      long next = timeline.nextInstant();
      if (next == Timeline.NEVER && deadline == Timeline.NEVER) {
        return false;
      }
      timeline.advanceTo(Math.min(next, deadline));
      if (next >= deadline) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  /// Lets time pass until a condition holds, for as long as it takes.
  ///
  /// @param condition changes by events only
  /// @param what is waited for
  /// @throws RuntimeException if no event can change it any more
  public void await(BooleanSupplier condition, Supplier<String> what) {
    if (!runUntil(condition, Timeline.NEVER)) {
      throw stalled(what.get());
    }
  }

  /// {@return the exception for a wait that cannot end}
  ///
  /// @param what is waited for
  public RuntimeException stalled(String what) {
    return stalled.apply(
        "nothing can happen any more in the simulated network, which waits for ever to " + what);
  }

  /// Adds a host.
  ///
  /// @param name in messages
  /// @param addresses none of which another host has
  /// @return the host
  public Host add(String name, List<InetAddress> addresses) {
    for (InetAddress address : addresses) {
      Host other = byAddress.get(address);
      if (other != null) {
        throw new IllegalArgumentException(
            "host '%s' has the address already: address=%s".formatted(other, address));
      }
    }
    var host = new Host(this, hosts.size(), name, addresses);
    addresses.forEach(address -> byAddress.put(address, host));
    hosts.add(host);
    return host;
  }

  @Nullable Host route(Host from, InetAddress to) {
    return to.isLoopbackAddress() ? from : byAddress.get(to);
  }

  /// {@return every host, in the order in which they were added}
  public List<Host> hosts() {
    return hosts;
  }

  // Links.

  /// {@return what carries packets from one host to another}
  ///
  /// @param from the sender
  /// @param to another host
  public Link link(Host from, Host to) {
    Link known = from.links().get(to);
    if (known != null) {
      return known;
    }
    var made = new Link(timeline, settings, chance);
    from.links().put(to, made);
    links.add(made);
    return made;
  }

  /// {@return the links that were used or set}
  public List<Link> links() {
    return links;
  }

  /// Changes how all links treat packets from now on.
  ///
  /// @param change of the settings
  public void changeLinks(UnaryOperator<LinkSettings> change) {
    settings = change.apply(settings);
    links().forEach(link -> link.change(change));
  }

  /// {@return whether packets get through between two hosts, apart from loss}
  boolean isOpen(Host one, Host other) {
    return one.isUp()
        && other.isUp()
        && (one == other || (link(one, other).isOpen() && link(other, one).isOpen()));
  }

  // Packets.

  /// Shows all packets between hosts from now on.
  ///
  /// @param onlooker the only one
  public void watch(PacketWatch onlooker) {
    watch = onlooker;
  }

  /// {@return the first sequence number of a connection, higher than all that were used}
  long nextSequence() {
    sequence += 1L << Integer.SIZE;
    return sequence;
  }

  /// Sends a packet; it may get lost, or arrive twice.
  void send(Host from, Packet packet) {
    if (!from.isUp()) {
      return;
    }
    Host to = packet.to();
    if (from == to) {
      timeline.after(0, packet);
    } else {
      PacketWatch own = watch;
      link(from, to).send(own == null ? packet : own.passing(packet, from, to));
    }
  }
}
