package dev.rondo.simulation.threads.internal.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds accesses that no happens-before orders (JLS 17.4.5): of each thread and each object by
/// which threads are ordered there is a vector clock, and of each place in memory its last write
/// and the reads since then (C. Flanagan, S. Freund, *FastTrack*, PLDI 2009). All volatile fields
/// of an object count as one: an order too many hides a race, and is no false alarm.
///
/// Confined to the world's thread and the threads that it carries.
///
/// @param <A> what is known of an access
public final class HappensBefore<A> {

  private static final int MOST_OBJECTS = 4_000;

  /// Of an object or array, the last ones that were accessed for the first time.
  private static final int MOST_PARTS = 4_000;

  private static final class ThreadClock {

    private final int number;
    private int[] times;

    ThreadClock(int number, int[] times) {
      this.number = number;
      this.times = times;
      tick();
    }

    void tick() {
      times = Arrays.copyOf(times, Math.max(times.length, number + 1));
      times[number]++;
    }

    void acquire(int[] released) {
      times = later(times, released);
    }

    boolean isAfter(Access<?> access) {
      return access.thread == number
          || (access.thread < times.length && access.time <= times[access.thread]);
    }
  }

  private record Access<A>(int thread, int time, A known) {}

  private static final class Place<A> {
    private @Nullable Access<A> write;
    private final List<Access<A>> reads = new ArrayList<>();
  }

  private static final int[] NEVER = {};

  private final IdentityTable<ThreadClock> threads = new IdentityTable<>(Integer.MAX_VALUE);
  private int count;

  /// In an array of one, which is replaced.
  private final IdentityTable<int[][]> released = new IdentityTable<>(MOST_OBJECTS);

  /// By objects of which nothing is known any more.
  private int[] forgotten = NEVER;

  private final IdentityTable<Map<Object, Place<A>>> memory = new IdentityTable<>(MOST_OBJECTS);
  private final Object statics = new Object();

  /// Nothing has happened.
  public HappensBefore() {}

  private static int[] later(int[] one, int[] other) {
    int[] both = Arrays.copyOf(one, Math.max(one.length, other.length));
    for (int i = 0; i < other.length; i++) {
      both[i] = Math.max(both[i], other[i]);
    }
    return both;
  }

  private ThreadClock of(Thread thread) {
    ThreadClock known = threads.get(thread);
    return known == null ? begin(thread, NEVER) : known;
  }

  private ThreadClock begin(Thread thread, int[] times) {
    var made = new ThreadClock(count++, times);
    Object _ = threads.add(thread, made);
    return made;
  }

  /// A thread starts another one.
  public void starts(Thread by, Thread thread) {
    ThreadClock own = of(by);
    Object _ = begin(thread, own.times);
    own.tick();
  }

  /// A thread interrupts another one.
  public void interrupts(Thread by, Thread thread) {
    ThreadClock own = of(by);
    of(thread).acquire(own.times);
    own.tick();
  }

  /// A thread sees what others have done before they released an object.
  ///
  /// @param by a monitor, a thread that has ended, an object with volatile fields
  public void acquires(Thread thread, Object by) {
    int[][] known = released.get(by);
    of(thread).acquire(known == null ? forgotten : known[0]);
  }

  /// A thread lets others see what it has done, when they acquire an object.
  ///
  /// @param by as of [#acquires]
  public void releases(Thread thread, Object by) {
    ThreadClock own = of(thread);
    int[][] known = released.get(by);
    if (known == null) {
      int[][] dropped = released.add(by, new int[][] {later(forgotten, own.times)});
      if (dropped != null) {
        forgotten = later(forgotten, dropped[0]);
      }
    } else {
      known[0] = later(known[0], own.times);
    }
    own.tick();
  }

  /// A thread accesses memory.
  ///
  /// @param of the object or array; null for a static field
  /// @param part the field, or the index
  /// @param known the description of this access, for the report of a race with a later one
  /// @return an earlier access that conflicts, and is not ordered; null if there is none
  public @Nullable A accesses(
      Thread thread, @Nullable Object of, Object part, boolean writes, A known) {
    ThreadClock own = of(thread);
    Place<A> place = place(of == null ? statics : of, part);
    Access<A> racing = racing(place, own, writes);
    var access = new Access<>(own.number, own.times[own.number], known);
    if (writes) {
      place.write = access;
      place.reads.clear();
    } else {
      boolean _ = place.reads.removeIf(own::isAfter);
      place.reads.add(access);
    }
    return racing == null ? null : racing.known;
  }

  private Place<A> place(Object of, Object part) {
    Map<Object, Place<A>> parts = memory.get(of);
    if (parts == null) {
      parts =
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, Place<A>> eldest) {
              return size() > MOST_PARTS;
            }
          };
      Object _ = memory.add(of, parts);
    }
    return parts.computeIfAbsent(part, _ -> new Place<>());
  }

  private static <A> @Nullable Access<A> racing(Place<A> place, ThreadClock own, boolean writes) {
    Access<A> write = place.write;
    if (write != null && !own.isAfter(write)) {
      return write;
    }
    if (writes) {
      for (Access<A> each : place.reads) {
        if (!own.isAfter(each)) {
          return each;
        }
      }
    }
    return null;
  }
}
