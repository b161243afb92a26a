package dev.rondo.io.internal.channel;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Channels that a select found ready and whose waits have not advanced yet. The channel that was
/// served longest ago comes first.
///
/// Linux does not list ready descriptors in the order of their events. Descriptors that it has
/// listed before come first, in the same order; the others are appended. So a channel that becomes
/// ready just after a select waits until all channels of that select are served, and then until all
/// channels of the next select are. This repeats: the channel is the last of its round, so its
/// peer's next message is late again. In the order used here it waits for one round, as all
/// channels do.
///
/// Most channels are added in order, and a selector lists 1,024 at once at most. So this is an
/// insertion sort, which needs no memory: binary search finds the place of the few that are out of
/// order, and the channels behind it move as a block.
///
/// Confined to the scheduler's thread.
final class ReadyChannels {

  private static final int INITIAL_CAPACITY = 16;

  private @Nullable ChannelRegistration[] channels = new ChannelRegistration[INITIAL_CAPACITY];

  /// The next channel to be taken.
  private int first;

  /// Behind the last.
  private int end;

  /// The end of the channels that are in order.
  private int sorted;

  /// How often a channel was served.
  private long services;

  boolean isEmpty() {
    return first == end;
  }

  /// Adds a channel, which must not be in here.
  void add(ChannelRegistration channel) {
    if (end == channels.length) {
      makeRoom();
    }
    channels[end++] = channel;
  }

  /// Reuses the room of channels that were taken if it is at least half of all, so that adding
  /// stays cheap on average.
  private void makeRoom() {
    @Nullable ChannelRegistration[] room =
        first > channels.length / 2 ? channels : new ChannelRegistration[2 * channels.length];
    System.arraycopy(channels, first, room, 0, end - first);
    if (room == channels) {
      Arrays.fill(channels, end - first, end, null);
    }
    channels = room;
    end -= first;
    sorted = Math.max(0, sorted - first);
    first = 0;
  }

  /// Takes the channel that was served longest ago, and counts it as served now; null if there is
  /// none.
  @Nullable ChannelRegistration poll() {
    if (first == end) {
      return null;
    }
    if (first + 1 < end && sorted != end) {
      sort();
    }
    ChannelRegistration next = requireNonNull(channels[first]);
    channels[first++] = null;
    if (first == end) {
      first = 0;
      end = 0;
      sorted = 0;
    }
    next.served = ++services;
    return next;
  }

  private void sort() {
    for (int i = Math.max(sorted, first + 1); i < end; i++) {
      ChannelRegistration moved = at(i);
      if (moved.served < at(i - 1).served) {
        int place = placeFor(moved.served, i - 1);
        System.arraycopy(channels, place, channels, place + 1, i - place);
        channels[place] = moved;
      }
    }
    sorted = end;
  }

  /// The place behind all channels that were served earlier and before those that were served
  /// later.
  private int placeFor(long served, int later) {
    int low = first;
    int high = later;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (at(middle).served <= served) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private ChannelRegistration at(int index) {
    return requireNonNull(channels[index]);
  }

  void clear() {
    Arrays.fill(channels, first, end, null);
    first = 0;
    end = 0;
    sorted = 0;
  }
}
