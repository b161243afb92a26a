package dev.rondo.io.internal.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import dev.rondo.io.IoRig;
import dev.rondo.io.OnEveryBackend;
import dev.rondo.io.OsPipe;
import dev.rondo.scheduler.Task;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of channels that are ready at the same time.
class ReadyChannelsTest {

  private final ReadyChannels ready = new ReadyChannels();

  private static List<ChannelRegistration> channels(int count) {
    var all = new ArrayList<ChannelRegistration>();
    for (int i = 0; i < count; i++) {
      all.add(mock(ChannelRegistration.class));
    }
    return all;
  }

  @Test
  void poll_nothingInIt_null() {
    assertTrue(ready.isEmpty());
    assertNull(ready.poll());
    ready.add(channels(1).getFirst());
    ready.clear();
    assertNull(ready.poll());
  }

  @Test
  void poll_servedAtDifferentTimes_longestAgoFirst() {
    List<ChannelRegistration> c = channels(3);
    ready.add(c.get(0));
    ready.add(c.get(1));
    assertSame(c.get(0), ready.poll());
    assertSame(c.get(1), ready.poll());
    c.forEach(ready::add);
    assertSame(c.get(2), ready.poll(), "never before");
    assertSame(c.get(0), ready.poll());
    assertSame(c.get(1), ready.poll());
    assertTrue(ready.isEmpty());
  }

  @Test
  void poll_severalNeverServed_inTheOrderFound() {
    List<ChannelRegistration> c = channels(4);
    ready.add(c.get(0));
    assertSame(c.get(0), ready.poll());
    c.forEach(ready::add);
    for (int i : new int[] {1, 2, 3, 0}) {
      assertSame(c.get(i), ready.poll());
    }
  }

  /// The model is a list that is searched for the channel served longest ago, and among several for
  /// the one added first.
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100})
  void anySequence_sameAsTheModel(int most) {
    var random = new Random(most);
    List<ChannelRegistration> all = channels(most);
    var outside = new ArrayList<>(all);
    var model = new ArrayList<ChannelRegistration>();
    Map<ChannelRegistration, Integer> served = new HashMap<>();
    int services = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean adding = random.nextInt(1 + i / 100 % 4) == 0;
      if (adding && !outside.isEmpty()) {
        ChannelRegistration added = outside.remove(random.nextInt(outside.size()));
        model.add(added);
        ready.add(added);
      } else if (!adding) {
        ChannelRegistration expected =
            model.stream().min(Comparator.comparing(it -> served.getOrDefault(it, 0))).orElse(null);
        assertSame(expected, ready.poll());
        if (expected != null) {
          served.put(expected, ++services);
          model.remove(expected);
          outside.add(expected);
        }
      } else if (random.nextInt(50) == 0) {
        ready.clear();
        outside.addAll(model);
        model.clear();
      }
      assertEquals(model.isEmpty(), ready.isEmpty());
    }
  }

  /// The system lists first what it has listed before: the third of these pipes would come last in
  /// the second round without this order.
  @OnEveryBackend
  void select_findsAnotherOne_itIsServedBeforeThoseThatWereServedJustNow(IoRig rig)
      throws Exception {
    rig.run(world -> {
      try (var a = OsPipe.open(world.io());
          var b = OsPipe.open(world.io());
          var c = OsPipe.open(world.io())) {
        Map<String, OsPipe> pipes = Map.of("a", a, "b", b, "c", c);
        assertEquals(List.of("a", "b"), round(world, pipes, "a", "b"));
        assertEquals(List.of("c", "a", "b"), round(world, pipes, "a", "b", "c"));
        assertEquals(List.of("c", "a", "b"), round(world, pipes, "c", "b", "a"));
      }
    });
  }

  /// docs/inside/semantics.md, rule 48.
  @OnEveryBackend
  void moreThanATurnServes_areServedInSeveralTurns(IoRig rig) throws Exception {
    rig.run(world -> {
      var pipes = new ArrayList<OsPipe>();
      Deque<Task<Integer>> readers = new ArrayDeque<>();
      int[] resumed = {0};
      try {
        for (int i = 0; i < 300; i++) {
          OsPipe pipe = OsPipe.open(world.io());
          pipes.add(pipe);
          readers.add(
              world
                  .scheduler()
                  .spawn(() -> {
                    int read = pipe.source().read(ByteBuffer.allocate(1));
                    resumed[0]++;
                    return read;
                  }));
        }
        world.settle();
        for (OsPipe each : pipes) {
          each.sink().close(); // never a suspension point
        }
        var servedByTurn = new ArrayList<Integer>();
        for (int before = 0; before < 300; before = resumed[0]) {
          world.scheduler().yield();
          if (resumed[0] > before) {
            servedByTurn.add(resumed[0] - before);
          }
        }
        assertEquals(128, servedByTurn.getFirst());
        assertEquals(128, Collections.max(servedByTurn));
      } finally {
        for (OsPipe each : pipes) {
          each.close();
        }
      }
      for (Task<Integer> reader : readers) {
        assertEquals(-1, reader.join());
      }
    });
  }

  /// Makes tasks wait for pipes, makes all of these ready, and returns the order in which the tasks
  /// resumed.
  private static List<String> round(IoRig.World world, Map<String, OsPipe> pipes, String... names)
      throws Exception {
    var order = new ArrayList<String>();
    Deque<Task<Void>> readers = new ArrayDeque<>();
    for (String name : names) {
      readers.add(
          world.spawn(
              name,
              () -> {
                pipes.get(name).source().read(ByteBuffer.allocate(1));
                order.add(name);
              }));
    }
    world.settle();
    for (String name : names) {
      pipes.get(name).sink().write(ByteBuffer.allocate(1));
    }
    for (Task<Void> reader : readers) {
      reader.join();
    }
    return order;
  }
}
