package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.agreement.Result;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A variable that all nodes of the cluster share. See [WaitForCluster#register].
///
/// It is linearizable: an operation takes effect at one instant between its call and its return,
/// for all nodes. Each is *always* a suspension point, and waits while etcd is out of reach, for
/// [dev.rondo.cluster.config.ClusterLimits#answer()] at most. A task that is cancelled meanwhile
/// does not know whether it took effect.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the value
public final class ClusterRegister<T> {

  private final Supplier<Consensus> consensus;
  private final String name;
  private final Codec<T> codec;
  private final Function<T, byte[]> encoder;

  ClusterRegister(
      Supplier<Consensus> consensus, String name, Codec<T> codec, Function<T, byte[]> encoder) {
    this.consensus = consensus;
    this.name = name;
    this.codec = codec;
    this.encoder = encoder;
  }

  /// {@return the value; empty at first} *Always* a suspension point.
  ///
  /// @throws IllegalStateException if the node has not joined, its cluster has nothing to agree by,
  ///   or the codec does not understand the value
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time
  public Optional<T> get() {
    byte[] bytes = consensus.get().call(Command.of(Kind.READ, name, 0, 0)).value();
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(requireNonNull(codec.decode(bytes), "the codec returned null"));
    } catch (Exception | LinkageError | StackOverflowError e) {
      throw new IllegalStateException("the codec does not understand the value of " + name, e);
    }
  }

  /// Sets the value. *Always* a suspension point.
  ///
  /// @param value encoded at once
  /// @throws IllegalArgumentException if it has more bytes than the limits allow
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time;
  ///   it may have been set
  public void set(T value) {
    requireNonNull(value, "value is null");
    var _ = call(Kind.WRITE, encoder.apply(value), null);
  }

  /// Sets the value if it is a certain one: if its bytes are those of the expected one. *Always* a
  /// suspension point.
  ///
  /// @param expected empty for no value
  /// @param value empty for no value
  /// @return false if it is another; nothing has changed then
  /// @throws IllegalArgumentException if one has more bytes than the limits allow
  /// @throws IllegalStateException if the node has not joined, or its cluster has nothing to agree
  ///   by
  /// @throws OutcomeUnknownException if the node leaves meanwhile, or there is no answer in time;
  ///   it may have been set
  public boolean compareAndSet(Optional<T> expected, Optional<T> value) {
    requireNonNull(expected, "expected is null");
    requireNonNull(value, "value is null");
    return call(Kind.COMPARE, value.map(encoder).orElse(null), expected.map(encoder).orElse(null))
        .isDone();
  }

  private Result call(Kind kind, byte @Nullable [] value, byte @Nullable [] expected) {
    return consensus.get().call(Command.of(kind, name, 0, 0).with(value, expected));
  }

  @Override
  public String toString() {
    return name;
  }
}
