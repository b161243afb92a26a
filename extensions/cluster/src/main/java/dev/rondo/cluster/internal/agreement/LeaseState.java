package dev.rondo.cluster.internal.agreement;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A lease as all nodes know it.
///
/// @param name of the lease
/// @param token of the holder; larger than each one before
/// @param renewals how often the holder has renewed it
/// @param holder null if it is free
/// @param waiting for it, first come first
public record LeaseState(
    String name, long token, long renewals, @Nullable Request holder, List<Request> waiting) {

  /// What tells a request from others.
  ///
  /// @param client the session of the node
  /// @param id of the command in that session
  public record RequestKey(String client, long id) {}

  /// A request for a lease.
  ///
  /// @param client the session of the node
  /// @param id of the command in that session
  /// @param node the name of the node
  /// @param ttlNanos how long the lease lasts
  public record Request(String client, long id, String node, long ttlNanos) {

    public RequestKey key() {
      return new RequestKey(client, id);
    }

    public boolean isOf(String session, long number) {
      return id == number && client.equals(session);
    }

    private void write(DataOutput out) throws IOException {
      out.writeUTF(client);
      out.writeLong(id);
      out.writeUTF(node);
      out.writeLong(ttlNanos);
    }

    private static Request read(DataInput in) throws IOException {
      return new Request(in.readUTF(), in.readLong(), in.readUTF(), in.readLong());
    }
  }

  /// Makes one.
  public LeaseState {
    waiting = List.copyOf(waiting);
  }

  public static LeaseState free(String name) {
    return new LeaseState(name, 0, 0, null, List.of());
  }

  /// {@return the name of the node that holds it; empty if none does}
  public Optional<String> holderName() {
    return Optional.ofNullable(holder).map(Request::node);
  }

  public boolean isUnused() {
    return holder == null && waiting.isEmpty();
  }

  public boolean isHeldBy(long byToken) {
    return holder != null && token == byToken;
  }

  /// {@return the requests that wait, to look for several}
  public Set<RequestKey> queue() {
    return waiting.stream().map(Request::key).collect(Collectors.toSet());
  }

  public boolean isAwaitedBy(String session, long number) {
    return waiting.stream().anyMatch(each -> each.isOf(session, number));
  }

  LeaseState heldBy(Request next, long newToken) {
    return new LeaseState(name, newToken, 0, next, waiting);
  }

  LeaseState renewed() {
    return new LeaseState(name, token, renewals + 1, holder, waiting);
  }

  LeaseState ended() {
    return new LeaseState(name, token, renewals, null, waiting);
  }

  LeaseState withWaiting(Request last) {
    var more = new ArrayList<>(waiting);
    more.add(last);
    return withWaiting(more);
  }

  LeaseState withWaiting(List<Request> others) {
    return new LeaseState(name, token, renewals, holder, others);
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(name);
    out.writeLong(token);
    out.writeLong(renewals);
    out.writeBoolean(holder != null);
    if (holder != null) {
      holder.write(out);
    }
    out.writeInt(waiting.size());
    for (Request each : waiting) {
      each.write(out);
    }
  }

  static LeaseState read(DataInput in) throws IOException {
    String name = in.readUTF();
    long token = in.readLong();
    long renewals = in.readLong();
    Request holder = in.readBoolean() ? Request.read(in) : null;
    var waiting = new ArrayList<Request>();
    for (int left = in.readInt(); left > 0; left--) {
      waiting.add(Request.read(in));
    }
    return new LeaseState(name, token, renewals, holder, waiting);
  }
}
