package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.junit.RondoTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class HelloTest {

  @RondoTest
  void delay_ofAnHour_takesNoTime(Application app) {
    var rings = new ArrayList<Duration>();
    app.delay(Duration.ofHours(1), () -> rings.add(app.runningTime()));
    app.sleep(Duration.ofHours(2));
    assertEquals(List.of(Duration.ofHours(1)), rings);
  }
}
