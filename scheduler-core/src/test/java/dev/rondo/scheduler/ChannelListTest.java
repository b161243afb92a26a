package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// The list of what add-ons have open, and looks at it from outside.
final class ChannelListTest {

  private static Supplier<OpenChannel> named(String name) {
    return () -> new OpenChannel(name, List.of());
  }

  private static List<String> all(ChannelList channels, int most) {
    var names = new ArrayList<String>();
    int next = 0;
    while (next != ChannelList.NONE) {
      next = channels.visit(next, most, (place, channel) -> names.add(channel.name()));
    }
    return names;
  }

  @Test
  void visit_channelsThatComeAndGo_hasEachOfTheListedOnce() {
    var random = new Random(20);
    var channels = new ChannelList();
    var places = new TreeMap<String, Integer>();
    for (int i = 0; i < 5_000; i++) {
      if (places.isEmpty() || random.nextInt(5) < 3) {
        String name = "channel " + i;
        places.put(name, channels.add(named(name)));
      } else {
        String gone = new ArrayList<>(places.keySet()).get(random.nextInt(places.size()));
        channels.remove(places.remove(gone));
      }
      if (i % 500 == 0) {
        List<String> seen = all(channels, 1 + random.nextInt(40));
        assertEquals(new ArrayList<>(places.keySet()), seen.stream().sorted().toList());
      }
      assertEquals(places.size(), channels.count());
    }
  }

  @Test
  void visit_thoseThatStay_areSeenOnceThoughOthersComeAndGo() {
    var channels = new ChannelList();
    var gone = new ArrayList<Integer>();
    for (int i = 0; i < 100; i++) {
      int _ = channels.add(named("stays " + i));
      gone.add(channels.add(named("gone")));
    }
    var seen = new TreeSet<String>();
    int rows = 0;
    for (int next = 0; next != ChannelList.NONE; ) {
      var page = new ArrayList<String>();
      next = channels.visit(next, 7, (place, channel) -> page.add(channel.name()));
      page.removeIf(name -> !name.startsWith("stays"));
      rows += page.size();
      seen.addAll(page);
      if (!gone.isEmpty()) {
        channels.remove(gone.removeFirst());
        channels.remove(gone.removeLast());
        int _ = channels.add(named("new"));
      }
    }
    assertEquals(100, rows);
    assertEquals(100, seen.size());
  }

  @Test
  void visit_aChannelThatIsClosedAlready_isLeftOut() {
    var channels = new ChannelList();
    int _ = channels.add(() -> null);
    int place = channels.add(named("open"));
    assertEquals(List.of("open"), all(channels, 1));
    assertEquals(ChannelList.NONE, channels.visit(place, 1, (at, _) -> assertEquals(place, at)));
  }

  @Test
  void remove_noChannelIsThere_isRefused() {
    var channels = new ChannelList();
    int place = channels.add(named("one"));
    channels.remove(place);
    for (int wrong : new int[] {place, place + 1, ChannelList.NONE}) {
      var refused = assertThrows(IllegalArgumentException.class, () -> channels.remove(wrong));
      assertTrue(refused.getMessage().endsWith("place=" + wrong), refused::getMessage);
    }
    assertEquals(0, channels.count());
    assertThrows(IllegalArgumentException.class, () -> channels.visit(-1, 1, (_, _) -> {}));
    assertThrows(IllegalArgumentException.class, () -> channels.visit(0, -1, (_, _) -> {}));
  }
}
