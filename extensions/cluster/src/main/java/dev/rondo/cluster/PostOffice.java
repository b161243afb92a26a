package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.internal.jgroups.JavaSerialization;
import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOnReport;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Passes messages from tasks to the engine, and from there to mailboxes and signals.
///
/// Confined to the scheduler's thread.
final class PostOffice {

  /// Carries messages to a member.
  record Route(Member to, String name, boolean signal) {

    DeliveryException failure(Reason reason) {
      return new DeliveryException(reason, this + ": " + reason);
    }

    @Override
    public String toString() {
      return (signal ? "signal '" : "mailbox '") + name + "' of '" + to + "'";
    }
  }

  /// A receiver of messages of a name.
  @FunctionalInterface
  interface Receiving {

    /// Takes a message in.
    ///
    /// @return null, or why it is refused
    @Nullable Reason receive(Member from, long number, byte[] message);

    /// The next message is the first one that its sender counts.
    default void countAnew(Member from) {}

    /// {@return how many messages wait here to be received}
    default int size() {
      return 0;
    }
  }

  private final Scheduler scheduler;
  private final int mostBytes;
  private final BiConsumer<Member, Frame> carrier;
  private final Runnable wake;
  private final Map<String, Receiving> mailboxes = new HashMap<>();
  private final Map<String, Receiving> signals = new HashMap<>();
  private final Map<Route, SendWindow> windows = new HashMap<>();

  /// Confirmations of the next turn: the last number that was taken.
  private final Map<Route, Long> confirmations = new LinkedHashMap<>();

  private long lastNumber;
  private long rejected;

  /// Makes one without names.
  ///
  /// @param carrier has a frame carried to a member
  /// @param wake has [#confirm()] called at the end of the pass
  PostOffice(Scheduler scheduler, int mostBytes, BiConsumer<Member, Frame> carrier, Runnable wake) {
    this.scheduler = scheduler;
    this.mostBytes = mostBytes;
    this.carrier = carrier;
    this.wake = wake;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  // Names.

  void open(String name, boolean signal, Receiving receiving) {
    requireName(name);
    if (named(signal).putIfAbsent(name, receiving) != null) {
      throw new IllegalStateException(
          "there is a %s '%s' already".formatted(signal ? "signal" : "mailbox", name));
    }
  }

  void close(String name) {
    var _ = mailboxes.remove(name);
  }

  private Map<String, Receiving> named(boolean signal) {
    return signal ? signals : mailboxes;
  }

  static void requireName(String name) {
    requireNonNull(name, "name is null");
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > Frame.LONGEST_NAME) {
      throw new IllegalArgumentException(
          "a name must have 1 to %d bytes, but has %d".formatted(Frame.LONGEST_NAME, length));
    }
  }

  // Sending.

  <T> byte[] encoded(Codec<T> codec, T message) {
    requireNonNull(message, "message is null");
    byte[] bytes = requireNonNull(codec.encode(message), "the codec returned null");
    if (bytes.length > mostBytes) {
      throw new IllegalArgumentException(
          "a message may have %d bytes, but this one has %d: see ClusterLimits.withMessageBytes(..)"
              .formatted(mostBytes, bytes.length));
    }
    if (JavaSerialization.isIn(bytes)) {
      throw new IllegalArgumentException("Java serialization is not sent to other members");
    }
    return bytes;
  }

  /// Decodes a message; returns null if the codec does not understand it. An error, as of a class
  /// in another version, is reported: it may be the fault of this side.
  <T> @Nullable T decoded(Codec<T> codec, Object receiving, byte[] message) {
    try {
      return codec.decode(message);
    } catch (Exception e) {
      return null;
    } catch (Error e) {
      scheduler.host().report("the codec of " + receiving, e);
      return null;
    }
  }

  SendWindow window(Route route) {
    return windows.computeIfAbsent(route, to -> new SendWindow(this, to));
  }

  Delivery newDelivery(Route route, int bytes) {
    return new Delivery(scheduler, route, ++lastNumber, bytes);
  }

  void carry(Member to, Frame frame) {
    carrier.accept(to, frame);
  }

  /// Members have left, and what was under way to them fails.
  void left(List<Member> members) {
    List<Route> routes =
        windows.keySet().stream().filter(route -> members.contains(route.to())).toList();
    for (Route each : routes) {
      requireNonNull(windows.remove(each)).fail();
    }
    confirmations.keySet().removeIf(route -> members.contains(route.to()));
  }

  // Receiving.

  void received(Member from, Frame frame) {
    switch (frame.kind()) {
      case MESSAGE, FIRST -> receivedMessage(from, frame);
      case TAKEN -> answered(from, frame, window -> window.taken(frame.number()));
      case REFUSED ->
          answered(from, frame, window -> window.refused(frame.number(), frame.reason()));
      case NONE -> rejected++;
    }
  }

  private void answered(Member from, Frame answer, Consumer<SendWindow> then) {
    SendWindow window = windows.get(new Route(from, answer.name(), answer.signal()));
    if (window != null) {
      then.accept(window);
    }
  }

  private void receivedMessage(Member from, Frame frame) {
    Receiving receiving = named(frame.signal()).get(frame.name());
    Reason reason;
    if (receiving != null && frame.kind() == Frame.Kind.FIRST) {
      receiving.countAnew(from); // whether it is taken or not
    }
    if (frame.message().length > mostBytes) {
      reason = Reason.TOO_LARGE;
    } else if (JavaSerialization.isIn(frame.message())) {
      reason = Reason.BAD_BYTES;
    } else if (receiving == null) {
      reason = Reason.NO_MAILBOX;
    } else {
      reason = receiving.receive(from, frame.number(), frame.message());
    }
    if (reason != null) {
      if (reason != Reason.NO_MAILBOX) {
        rejected++;
      }
      refuse(from, frame.signal(), frame.name(), frame.number(), reason);
    }
  }

  void refuse(Member from, boolean signal, String name, long number, Reason reason) {
    carry(from, Frame.refused(signal, reason, number, name));
  }

  /// A message was taken; its sender learns of it after this turn.
  void taken(Member from, boolean signal, String name, long number) {
    confirmations.put(new Route(from, name, signal), number);
    wake.run();
  }

  void confirm() {
    confirmations.forEach(
        (route, number) -> carry(route.to(), Frame.taken(route.signal(), number, route.name())));
    confirmations.clear();
  }

  /// How many messages were no frames, too large, or not understood.
  long rejected() {
    return rejected;
  }

  // Looking.

  void describe(AddOnReport report) {
    report
        .gauge("cluster.received", sum(mailboxes.values(), Receiving::size))
        .gauge("cluster.unconfirmed", sum(windows.values(), SendWindow::unconfirmed))
        .gauge("cluster.senders", sum(windows.values(), window -> window.waiters.size()))
        .counter("cluster.rejected", rejected);
    mailboxes.forEach((name, mailbox) -> {
      if (mailbox.size() > 0) {
        report.line(() -> "mailbox '%s': messages that wait: %d".formatted(name, mailbox.size()));
      }
    });
    windows.forEach((route, window) -> {
      if (!window.isIdle()) {
        report.line(() -> "to %s: %s".formatted(route, window));
      }
    });
  }

  private static <T> long sum(Collection<T> of, ToLongFunction<T> number) {
    return of.stream().mapToLong(number).sum();
  }
}
