package dev.rondo.simulation.internal.net;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The hosts, what connects them, and their time.
public final class Network {

  /// Chooses what connects two hosts.
  @FunctionalInterface
  public interface Links {

    /// {@return the link}
    ///
    /// @param from the sender
    /// @param to the receiver; may be the sender
    Link between(Host from, Host to);
  }

  private final Timeline timeline;
  private final Links links;
  private final Runnable threadCheck;
  private final Function<String, ? extends RuntimeException> stalled;
  private final Map<InetAddress, Host> byAddress = new LinkedHashMap<>();
  private final List<Host> hosts = new ArrayList<>();

  /// Creates a network without hosts.
  ///
  /// @param clock its time
  /// @param links what connects the hosts
  /// @param threadCheck fails on a wrong thread
  /// @param stalled creates the exception for a wait that cannot end
  public Network(
      Clock clock,
      Links links,
      Runnable threadCheck,
      Function<String, ? extends RuntimeException> stalled) {
    this.timeline = new Timeline(clock);
    this.links = links;
    this.threadCheck = threadCheck;
    this.stalled = stalled;
  }

  /// {@return the events of this network}
  public Timeline timeline() {
    return timeline;
  }

  /// Begins an operation of a program: what is due has happened before.
  ///
  /// @throws WrongThreadException on a wrong thread
  public void enter() {
    threadCheck.run();
    timeline.runDue();
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
    var host = new Host(this, name, addresses);
    addresses.forEach(address -> byAddress.put(address, host));
    hosts.add(host);
    return host;
  }

  @Nullable Host route(Host from, InetAddress to) {
    return to.isLoopbackAddress() ? from : byAddress.get(to);
  }

  /// Every host, in the order in which they were added.
  List<Host> hosts() {
    return hosts;
  }

  /// Sends a segment, again and again until it arrives.
  void send(Host from, Segment segment) {
    send(from, segment, 0);
  }

  private void send(Host from, Segment segment, int attempt) {
    if (!from.isUp()) {
      return;
    }
    Host to = route(from, segment.flow().remote().getAddress());
    TcpConnection sender = segment.sender();
    if (to == null) {
      if (sender != null) {
        timeline.after(0, () -> sender.fail(SystemError.NO_ROUTE));
      }
      return;
    }
    long travel = links.between(from, to).travelNanos(segment.data().remaining());
    if (travel == Link.LOST) {
      sendAgain(from, segment, attempt);
      return;
    }
    timeline.after(
        travel,
        () -> {
          if (!to.isUp() || !to.arrived(segment)) {
            sendAgain(from, segment, attempt);
          }
        });
  }

  private void sendAgain(Host from, Segment segment, int attempt) {
    TcpConnection sender = segment.sender();
    if (sender == null) {
      return;
    }
    timeline.after(
        segment.patienceNanos(attempt),
        () -> {
          if (!sender.mayRetransmit()) {
            return;
          }
          if (attempt == segment.attempts()) {
            sender.fail(SystemError.TIMED_OUT);
          } else {
            send(from, segment, attempt + 1);
          }
        });
  }

  /// Sends something once: it may be lost, or arrive twice.
  void sendOnce(Host from, Host to, int bytes, Runnable arrival) {
    if (!from.isUp()) {
      return;
    }
    Link link = links.between(from, to);
    int copies = link.duplicates() ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      long travel = link.travelNanos(bytes);
      if (travel != Link.LOST) {
        timeline.after(
            travel,
            () -> {
              if (to.isUp()) {
                arrival.run();
              }
            });
      }
    }
  }
}
