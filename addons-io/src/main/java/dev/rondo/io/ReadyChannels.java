package dev.rondo.io;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Channels that a select found ready and whose waiters have not advanced yet. Whoever was served
/// longest ago comes first.
///
/// The order in which Linux lists ready descriptors is not that of the events. It lists those first
/// that it has listed before, in that order, and appends the others. So what comes in just after a
/// select waits until all of that one are served, and then until all of the next are; again and
/// again, for it is the last of its round and its peer's next message is late again. With this
/// order it waits for one round, as everybody does.
///
/// Most of what is added is in order already, and a selector lists 1,024 at once at the most. So
/// this is an insertion sort, which needs no memory: the place of the few that are not in order is
/// found by binary search, and what comes behind is moved as a block.
///
/// Confined to the scheduler's thread.
final class ReadyChannels {

  private static final int CAPACITY_AT_FIRST = 16;

  private @Nullable ChannelRegistration[] channels = new ChannelRegistration[CAPACITY_AT_FIRST];

  /// The next to be taken.
  private int first;

  /// Behind the last.
  private int end;

  /// Up to where they are in order.
  private int sorted;

  /// How many were served ever.
  private long services;

  boolean isEmpty() {
    return first == end;
  }

  /// Adds one that is not in here.
  void add(ChannelRegistration channel) {
    if (end == channels.length) {
      makeRoom();
    }
    channels[end++] = channel;
  }

  /// What was taken makes room if it is half of all; so adding stays cheap on the average.
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

  /// Takes the one that was served longest ago, and counts it as served now; null if there is none.
  @Nullable ChannelRegistration poll() {
    if (first == end) {
      return null;
    }
    if (sorted != end) {
      sort();
    }
    ChannelRegistration next = at(first);
    channels[first++] = null;
    if (first == end) {
      clear();
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

  /// Behind all that were served earlier, and before one that was later.
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
