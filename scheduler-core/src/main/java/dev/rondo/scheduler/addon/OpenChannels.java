package dev.rondo.scheduler.addon;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The open sockets, listeners and pipes of a scheduler's add-ons, for observers: each add-on lists
/// its channels here while they are open. See [LoopControl#openChannels()].
///
/// A channel keeps its place as long as it is listed. So calls of [#visit] at different times visit
/// each channel that is listed throughout exactly once.
///
/// Confined to the scheduler's thread, except [#count()].
public final class OpenChannels {

  /// Stands for no place.
  public static final int NONE = -1;

  /// A channel that is listed.
  @FunctionalInterface
  public interface Listed {

    /// Describes the channel when an observer asks. Must be quick, and must not suspend.
    ///
    /// @return the channel, and which tasks wait for it; null if it is closed already
    @Nullable OpenChannel describe();
  }

  /// Receives channels, each with its place.
  @FunctionalInterface
  public interface Visitor {

    /// Visits a channel.
    ///
    /// @param place where a later [#visit] begins with this channel
    /// @param channel what it is
    void visit(int place, OpenChannel channel);
  }

  /// How many places are looked at for each channel that is asked for: when many channels have been
  /// closed, their places are empty.
  private static final long PLACES_PER_CHANNEL = 32;

  private final List<@Nullable Listed> listed = new ArrayList<>();

  /// The places that are free.
  private final Deque<Integer> free = new ArrayDeque<>();

  /// Written on the scheduler's thread; other threads may read an old value.
  private int count;

  /// Makes an empty list.
  public OpenChannels() {}

  /// Lists a channel that was opened.
  ///
  /// @param channel not listed yet
  /// @return its place, for [#remove]
  public int add(Listed channel) {
    requireNonNull(channel, "channel is null");
    count++;
    if (free.isEmpty()) {
      listed.add(channel);
      return listed.size() - 1;
    }
    int place = free.pop();
    listed.set(place, channel);
    return place;
  }

  /// Removes a channel that was closed.
  ///
  /// @param place what [#add] has returned, once
  /// @throws IllegalArgumentException if no channel has the place; nothing changes
  public void remove(int place) {
    if (place < 0 || place >= listed.size() || listed.get(place) == null) {
      throw new IllegalArgumentException("no channel has this place: place=" + place);
    }
    listed.set(place, null);
    free.push(place);
    count--;
  }

  /// {@return how many channels are listed} Any thread: a recent number.
  public int count() {
    return count;
  }

  /// Visits some channels, in no particular order. The work is bounded by `most`: where many in a
  /// row have been closed fewer are visited, or none.
  ///
  /// @param from 0, or what the call before returned, or the place of a channel
  /// @param most how many to visit, at least zero
  /// @param visitor receives them; must neither open nor close channels
  /// @return where to go on; [#NONE] after the last channel
  /// @throws IllegalArgumentException if a number is negative
  public int visit(int from, int most, Visitor visitor) {
    requireNonNull(visitor, "visitor is null");
    if (from < 0 || most < 0) {
      throw new IllegalArgumentException(
          "from and most must be at least zero: from=%d, most=%d".formatted(from, most));
    }
    int end = (int) Math.min(listed.size(), from + PLACES_PER_CHANNEL * most);
    int place = from;
    for (int left = most; left > 0 && place < end; place++) {
      Listed channel = listed.get(place);
      OpenChannel described = channel == null ? null : channel.describe();
      if (described != null) {
        visitor.visit(place, described);
        left--;
      }
    }
    return place < listed.size() ? place : NONE;
  }

  /// {@return how many channels are listed, for people}
  @Override
  public String toString() {
    return count + " open channels";
  }
}
