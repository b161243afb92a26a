package dev.rondo.cluster.internal.agreement;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.agreement.LeaseState.Request;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The leases of the cluster, as each node has them. There is no clock in here: a lease ends by a
/// command.
///
/// Confined to the thread that applies the commands.
public final class LeaseTable {

  private static final String SEPARATOR = "\n";

  private final Map<String, LeaseState> leases = new TreeMap<>();
  private final Consumer<LeaseState> changed;

  /// Of all leases, so that nothing is kept of one that is free.
  private long lastToken;

  LeaseTable(Consumer<LeaseState> changed) {
    this.changed = changed;
  }

  /// Members as a value of a command. None stands for all.
  public static byte[] present(List<String> members) {
    return String.join(SEPARATOR, members).getBytes(StandardCharsets.UTF_8);
  }

  /// The session of a client: one of its member.
  public static String session(String member, String unique) {
    return member + "/" + unique;
  }

  private static boolean isPresent(Request request, byte @Nullable [] present) {
    if (present == null || present.length == 0) {
      return true;
    }
    String member = request.client().substring(0, request.client().lastIndexOf('/'));
    return List.of(new String(present, StandardCharsets.UTF_8).split(SEPARATOR, -1))
        .contains(member);
  }

  List<LeaseState> all() {
    return List.copyOf(leases.values());
  }

  private LeaseState state(String name) {
    return leases.getOrDefault(name, LeaseState.free(name));
  }

  private void put(LeaseState state) {
    if (state.isUnused()) {
      var _ = leases.remove(state.name());
    } else {
      leases.put(state.name(), state);
    }
    changed.accept(state);
  }

  Result take(Command command) {
    LeaseState state = state(command.name());
    var request =
        new Request(
            command.client(),
            command.id(),
            new String(requireNonNull(command.value()), StandardCharsets.UTF_8),
            command.first());
    if (state.holder() == null) {
      put(state.heldBy(request, ++lastToken));
      return Result.done(lastToken);
    }
    if (command.second() == 0) {
      return Result.REFUSED;
    }
    put(state.withWaiting(request));
    return Result.QUEUED;
  }

  Result renew(Command command) {
    LeaseState state = state(command.name());
    if (!state.isHeldBy(command.first())) {
      return Result.REFUSED;
    }
    put(state.renewed());
    return Result.DONE;
  }

  Result release(Command command) {
    LeaseState state = state(command.name());
    if (!state.isHeldBy(command.first())) {
      return Result.REFUSED;
    }
    pass(state, command.value());
    return Result.DONE;
  }

  Result expire(Command command) {
    LeaseState state = state(command.name());
    if (!state.isHeldBy(command.first()) || state.renewals() != command.second()) {
      return Result.REFUSED;
    }
    pass(state, command.value());
    return Result.DONE;
  }

  Result forget(Command command) {
    LeaseState state = state(command.name());
    Request holder = state.holder();
    if (holder != null && holder.isOf(command.client(), command.first())) {
      pass(state, command.value());
    } else if (state.isAwaitedBy(command.client(), command.first())) {
      var others = new ArrayList<>(state.waiting());
      others.removeIf(each -> each.isOf(command.client(), command.first()));
      put(state.withWaiting(others));
    }
    return Result.DONE;
  }

  /// Gives a lease that has ended to the node that has waited longest and is there. Those before it
  /// that are not leave the queue; one that lives asks again.
  private void pass(LeaseState state, byte @Nullable [] present) {
    var waiting = new ArrayList<>(state.waiting());
    while (!waiting.isEmpty()) {
      Request next = waiting.removeFirst();
      if (isPresent(next, present)) {
        put(state.withWaiting(waiting).heldBy(next, ++lastToken));
        return;
      }
    }
    put(state.ended().withWaiting(waiting));
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(lastToken);
    out.writeInt(leases.size());
    for (LeaseState each : leases.values()) {
      each.write(out);
    }
  }

  void read(DataInput in) throws IOException {
    leases.clear();
    lastToken = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      LeaseState state = LeaseState.read(in);
      leases.put(state.name(), state);
    }
  }
}
