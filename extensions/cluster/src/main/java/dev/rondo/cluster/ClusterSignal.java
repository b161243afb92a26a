package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.cluster.members.Member;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.Signal;
import dev.rondo.condition.SignalHandler;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A signal that tasks of all members send and wait for. See [WaitForCluster#signal].
///
/// Like a [Signal] it remembers nothing: a task receives it if it waits when the signal arrives.
/// Signals of one member arrive in order. Sending never waits: a member that is 1,024 signals or 1
/// MiB behind misses the next.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the payload
public final class ClusterSignal<T> implements Source<T> {

  private final PostOffice office;
  private final String name;
  private final Codec<T> codec;
  private final Supplier<List<Member>> members;
  private final Signal<T> here;

  ClusterSignal(PostOffice office, String name, Codec<T> codec, Supplier<List<Member>> members) {
    this.office = office;
    this.name = name;
    this.codec = codec;
    this.members = members;
    this.here = new Signal<>(office.scheduler(), name);
    office.open(name, true, this::arrived);
  }

  private @Nullable Reason arrived(Member from, long number, byte[] bytes) {
    T payload = office.decoded(codec, this, bytes);
    if (payload == null) {
      return Reason.BAD_BYTES;
    }
    office.taken(from, true, name, number);
    var _ = here.signalAll(payload);
    return null;
  }

  /// Wakes the tasks of all members, this one included, that wait when the signal arrives there.
  /// Never a suspension point.
  ///
  /// @param payload the result of the waits
  /// @return how many members it was sent to
  /// @throws IllegalArgumentException if it has more bytes than the limits allow, or they are Java
  ///   serialization
  public int signalAll(T payload) {
    office.scheduler().host().checkThread();
    requireNonNull(payload, "payload is null");
    byte[] bytes = office.encoded(codec, payload);
    int sent = 0;
    for (Member each : members.get()) {
      SendWindow window = office.window(new PostOffice.Route(each, name, true));
      if (window.isOpen()) {
        window.send(window.next(bytes), bytes);
        sent++;
      }
    }
    return sent;
  }

  /// Runs a handler each time the signal arrives; see [Signal#onSignal(SignalHandler)]. Never a
  /// suspension point.
  ///
  /// @param handler may suspend
  /// @return the registration, to cancel it
  public HandlerRegistration onSignal(SignalHandler<? super T> handler) {
    return here.onSignal(requireNonNull(handler, "handler is null"));
  }

  /// {@return its name}
  String name() {
    return name;
  }

  @Override
  public boolean poll(Waiter<? super T> waiter) {
    return here.poll(waiter);
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    here.arm(waiter);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    here.disarm(waiter);
  }

  @Override
  public boolean isEager() {
    return here.isEager();
  }

  @Override
  public Scheduler scheduler() {
    return office.scheduler();
  }

  @Override
  public String toString() {
    return "cluster signal '" + name + "'";
  }
}
