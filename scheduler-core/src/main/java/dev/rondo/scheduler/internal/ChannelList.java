package dev.rondo.scheduler.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.OpenChannel;
import dev.rondo.scheduler.addon.OpenChannels;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The list of open channels, with the methods for observers. A channel keeps its place as long as
/// it is listed. So calls of [#visit] at different times visit each channel that is listed
/// throughout exactly once.
///
/// Confined to the scheduler's thread, except [#count()].
public final class ChannelList implements OpenChannels {

  private final NavigableMap<Integer, Supplier<? extends @Nullable OpenChannel>> listed =
      new TreeMap<>();

  private int last = NONE;

  /// Makes an empty list.
  public ChannelList() {}

  @Override
  public int add(Supplier<? extends @Nullable OpenChannel> channel) {
    requireNonNull(channel, "channel is null");
    do {
      last = last == Integer.MAX_VALUE ? 0 : last + 1;
    } while (listed.putIfAbsent(last, channel) != null);
    return last;
  }

  @Override
  public void remove(int place) {
    if (listed.remove(place) == null) {
      throw new IllegalArgumentException("no channel has this place: place=" + place);
    }
  }

  /// {@return the number of channels in the list} Any thread: a recent number.
  public int count() {
    return listed.size();
  }

  /// Visits some channels, in the order of their places.
  ///
  /// @param from 0, or the result of the previous call, or the place of a channel
  /// @param most how many to visit, at least zero
  /// @param visitor receives the channels, each with its place; must neither open nor close
  ///   channels
  /// @return where to go on; [#NONE] after the last channel
  /// @throws IllegalArgumentException if a number is negative
  public int visit(int from, int most, BiConsumer<? super Integer, ? super OpenChannel> visitor) {
    requireNonNull(visitor, "visitor is null");
    if (from < 0 || most < 0) {
      throw new IllegalArgumentException(
          "from and most must be at least zero: from=%d, most=%d".formatted(from, most));
    }
    int left = most;
    for (Map.Entry<Integer, Supplier<? extends @Nullable OpenChannel>> each :
        listed.tailMap(from, true).entrySet()) {
      if (left == 0) {
        return each.getKey();
      }
      OpenChannel described = each.getValue().get();
      if (described != null) {
        visitor.accept(each.getKey(), described);
        left--;
      }
    }
    return NONE;
  }

  /// {@return the number of channels in the list, for people}
  @Override
  public String toString() {
    return count() + " open channels";
  }
}
