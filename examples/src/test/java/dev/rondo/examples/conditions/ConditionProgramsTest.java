package dev.rondo.examples.conditions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.time.VirtualClock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// What the programs with conditions say.
final class ConditionProgramsTest {

  private final List<String> told = new CopyOnWriteArrayList<>();

  private void run(Application.Main main) {
    Application.builder().clock(new VirtualClock()).bare().run(main);
  }

  @Test
  void kitchen_signalsAndPredicates_areServedInOrder() {
    run(app -> Kitchen.open(app, told::add));
    assertEquals(
        List.of(
            "first: flour",
            "without yeast: true",
            "complete with yeast",
            "bread at 200 degrees",
            "cooked: soup",
            "cooked: stew",
            "for the next cook: tea",
            "the doors are open",
            "today: fish",
            "bell: table 4",
            "Ann: table 1",
            "Bob: leaves",
            "Cy: leaves",
            "the waiter sees the fire",
            "a taxi hears: false",
            "till and tips: [120, 15]",
            "late tip: 3",
            "left: [1, 2]",
            "closed after 9 minutes",
            "lights: 2",
            "lights: 1",
            "dark: 0"),
        told);
  }

  @Test
  void expedition_climbers_waitForEachOther() {
    run(app -> Expedition.climb(app, told::add));
    assertEquals(
        List.of(
            "Bob goes home",
            "left to tell: 1",
            "Ann has lost patience",
            "left to tell: 0",
            "Cy was last",
            "a metre at once: false",
            "Bob has the rope and the map: true",
            "all of it",
            "the guide at camp 1",
            "porter 1 at camp 1",
            "porter 2 at camp 1",
            "camp 2 without the guide; phase 2",
            "porter 2 at camp 2",
            "none yet: true",
            "first: sun!",
            "missing: 2",
            "last: true, Success[value=storm!]",
            "all: [sun!, snow!, storm!]"),
        told);
  }

  @Test
  void telemetry_readings_reachTheArchiveInBatches() {
    VirtualClock clock =
        new VirtualClock()
            .autojump(VirtualClock.Autojump.ALWAYS); // a subscriber may be of any thread
    Application.builder().clock(clock).bare().run(app -> Telemetry.measure(app, told::add));
    assertEquals(
        List.of(
            "2 archived",
            "2 archived",
            "2 archived",
            "display: 4",
            "log: 0",
            "log: 1",
            "dropped: 3",
            "nobody reads"),
        told);
  }

  @Test
  void foundry_loops_exchangeMessagesAndCode() {
    Application.builder().bare().run(app -> Foundry.work(app, told::add));
    assertEquals(
        List.of(
            "smelted tin",
            "smelted copper",
            "the name is free: true",
            "casting a bell for the town",
            "not cast: 0",
            "pressed for the mill",
            "moulds: 42",
            "cancelled in time"),
        told);
  }
}
