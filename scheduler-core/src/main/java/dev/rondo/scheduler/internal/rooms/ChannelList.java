package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The open sockets, listeners and pipes of a scheduler's add-ons, for observers: each add-on lists
/// its channels here while they are open. A channel keeps its place as long as it is listed. So
/// calls of [#visit] at different times visit each channel that is listed throughout exactly once.
///
/// Confined to the scheduler's thread, except [#count()].
public final class ChannelList {

  /// Stands for no place.
  public static final int NONE = -1;

  private final NavigableMap<Integer, Supplier<? extends @Nullable OpenChannel>> listed =
      new TreeMap<>();

  private int last = NONE;

  /// Makes an empty list.
  public ChannelList() {}

  /// Lists a channel that was opened.
  ///
  /// @param channel describes the channel when an observer asks; null if it is closed already. Must
  ///   be quick, and must not suspend
  /// @return the place of the channel, for [#remove]
  public int add(Supplier<? extends @Nullable OpenChannel> channel) {
    requireNonNull(channel, "channel is null");
    do {
      last = last == Integer.MAX_VALUE ? 0 : last + 1;
    } while (listed.putIfAbsent(last, channel) != null);
    return last;
  }

  /// Removes a channel that was closed.
  ///
  /// @param place returned by [#add], and not removed before
  /// @throws IllegalArgumentException if no channel has the place; nothing changes
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
