package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Voters in a network namespace of the test, with an address each in 127.0.0.0/8: the system drops
/// what one sends to another, so that connections stay open and are silent. Needs root, and
/// iproute2.
abstract class CutsRig extends ValuesRig {

  /// Before the rule that finds local addresses, which is moved behind it.
  private static final String FIRST = "10";

  private static final String LOCAL = "100";

  private final String namespace = "rondo-" + ProcessHandle.current().pid();

  @BeforeEach
  void makeNetwork() throws Exception {
    assumeTrue(run("ip", "netns", "add", namespace) == 0, "root only can make a network namespace");
    inside("ip", "link", "set", "lo", "up");
    inside("ip", "rule", "add", "pref", LOCAL, "lookup", "local");
    inside("ip", "rule", "del", "pref", "0");
  }

  @Override
  @AfterEach
  void endAll() throws InterruptedException {
    super.endAll();
    try {
      run("ip", "netns", "del", namespace);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void inside(String... command) throws Exception {
    var whole = new ArrayList<>(prefix());
    whole.addAll(List.of(command));
    assertEquals(0, run(whole.toArray(String[]::new)), whole::toString);
  }

  @Override
  List<String> prefix() {
    return List.of("ip", "netns", "exec", namespace);
  }

  void cut(String from, String to) throws Exception {
    inside("ip", "rule", "add", "pref", FIRST, "from", host(from), "to", host(to), "blackhole");
  }

  /// Cuts off a voter both ways.
  void cutOff(String name, Collection<String> others) throws Exception {
    for (String each : others) {
      cut(name, each);
      cut(each, name);
    }
  }

  void healAll(int cuts) throws Exception {
    for (int i = 0; i < cuts; i++) {
      inside("ip", "rule", "del", "pref", FIRST);
    }
  }
}
