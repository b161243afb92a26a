package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The work of a stage. At most one element goes out for each element that comes in, and at most
/// one at the end.
abstract sealed class Work<A, B> {

  /// Returns the output for an element; null for none.
  abstract @Nullable B take(A element) throws Exception;

  /// Returns the output when no more elements come in, or none in time; null for none.
  @Nullable B rest() {
    return null;
  }

  /// Returns how long to wait for the next element before [#rest()] goes out; null for ever.
  @Nullable Duration patience() {
    return null;
  }

  /// Returns whether [#rest()] must go out, though more elements are there.
  boolean isOverdue() {
    return false;
  }

  /// Applies a function to each element.
  static final class Mapping<A, B> extends Work<A, B> {

    private final Mapper<? super A, ? extends B> mapper;

    Mapping(Mapper<? super A, ? extends B> mapper) {
      this.mapper = requireNonNull(mapper, "mapper is null");
    }

    @Override
    B take(A element) throws Exception {
      return apply(mapper, element);
    }

    static <A, B> B apply(Mapper<? super A, ? extends B> mapper, A element) throws Exception {
      return requireNonNull(
          mapper.map(element),
          "the mapper returned null: to leave out elements use filter, or return an Optional");
    }
  }

  /// Passes on the elements that satisfy a predicate.
  static final class Filtering<A> extends Work<A, A> {

    private final Predicate<? super A> predicate;

    Filtering(Predicate<? super A> predicate) {
      this.predicate = requireNonNull(predicate, "predicate is null");
    }

    @Override
    @Nullable A take(A element) {
      return predicate.test(element) ? element : null;
    }
  }

  /// Passes on all elements.
  static final class Passing<A extends B, B> extends Work<A, B> {

    @Override
    B take(A element) {
      return element;
    }
  }

  /// Collects several elements at a time.
  static final class Batching<A> extends Work<A, List<A>> {

    private final Scheduler scheduler;
    private final int size;
    private final @Nullable Duration longest;
    private List<A> batch = new ArrayList<>();

    /// When the first element of the batch must go out, if there is one and a limit.
    private long deadlineNanos;

    Batching(Scheduler scheduler, int size, @Nullable Duration longest) {
      this.scheduler = scheduler;
      this.size = size;
      this.longest = longest;
      if (size < 1) {
        throw new IllegalArgumentException("size of a batch must be at least 1, but is " + size);
      }
      if (longest != null) {
        var _ = Delay.of(longest); // refuses a negative duration now, not at the first element
      }
    }

    @Override
    @Nullable List<A> take(A element) {
      if (batch.isEmpty() && longest != null) {
        deadlineNanos = scheduler.host().deadlineAfter(longest);
      }
      batch.add(element);
      return batch.size() < size ? null : rest();
    }

    @Override
    @Nullable List<A> rest() {
      if (batch.isEmpty()) {
        return null;
      }
      List<A> full = List.copyOf(batch);
      batch = new ArrayList<>();
      return full;
    }

    @Override
    @Nullable Duration patience() {
      return isTimed() ? Duration.ofNanos(Math.max(0, nanosLeft())) : null;
    }

    @Override
    boolean isOverdue() {
      return isTimed() && nanosLeft() <= 0;
    }

    private boolean isTimed() {
      return !batch.isEmpty() && longest != null;
    }

    private long nanosLeft() {
      return deadlineNanos - scheduler.host().nowNanos();
    }
  }
}
