package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.acme.threads.ProcessFacts;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What a process knows of itself.
final class ProcessFactsTest {

  @Test
  void process_hasANumberAndATimeOfItsOwn() {
    var told = new ArrayList<String>();
    long begin;
    try (World world = BlockingJava.in(World.withSeed(7))) {
      Consumer<String> tell = told::add;
      begin = world.host("first", BlockingJava.program(ProcessFacts.class, tell)).clock().millis();
      world.runFor(Duration.ofMinutes(2));
      var _ = world.host("second", BlockingJava.program(ProcessFacts.class, tell));
      world.runFor(Duration.ofMinutes(2));
    }
    String first = "1 1 1@first " + begin + " 60000";
    long later = Instant.ofEpochMilli(begin).plusSeconds(120).toEpochMilli();
    assertEquals(List.of(first, "2 2 2@second " + later + " 60000"), told);
  }
}
