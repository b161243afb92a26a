package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OneNodeTest {

  @Test
  void aClusterOfOne_doesWhatSeveralNodesDo() {
    var log = new ArrayList<String>();
    Application.builder()
        .clock(new VirtualClock())
        .run(app -> log.addAll(OneNode.sail(app, WaitForCluster.on(app.scheduler()))));
    assertEquals(
        List.of(
            "passengers: 42, full: true",
            "course: south, changed: true",
            "here steers: true, twice: false",
            "captain: here, token 2",
            "here calls at dover",
            "bell 1",
            "bell 2",
            "this node rings: true",
            "members that hear it: 1",
            "horn: long",
            "bridge: full ahead",
            "taken: true, joined: false",
            "agrees: true",
            "new members: 0",
            "below deck: NO_MAILBOX"),
        log);
  }
}
