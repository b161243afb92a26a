package dev.rondo.examples.worlds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the programs that simulate say.
final class WorldsProgramsTest {

  private final List<String> told = new ArrayList<>();

  @Test
  void stormyStore_seed_answersAreRight() {
    StormyStore.run(told::add);
    assertEquals(
        List.of(
            "two runs with seed 7 are the same",
            "PT5M, 4 hosts: 130 operations, of which 24 had no answer; all others are right",
            "the probe was refused:"
                + " [java.net.ConnectException: connect to 10.0.0.1:8: Connection refused]",
            "client-1 has asked: 64",
            "faults so far: 52, the last ones:",
            "programs that wait: 3",
            "files left open: 0",
            "the last of the recording: 300.000000 s  store     main  ends, CANCELLED: task 'main'"
                + " was cancelled by task 'stop': the scheduler stops",
            "a diagram: true",
            "a page: true"),
        told);
  }

  @Test
  void twoMachines_roadsAndDisks() throws IOException {
    TwoMachines.run(told::add);
    assertEquals(
        List.of(
            "a letter, near: 80 ms",
            "a letter, far: 1200 ms",
            "a letter, even: 671 ms",
            "a letter, bell: 1170 ms",
            "a letter, tail: 1176 ms",
            "a letter, thin: 2096 ms",
            "a letter, in pieces: 280 ms",
            "a letter, cut and healed: 80 ms",
            "a letter, held and released: 80 ms",
            "DATAGRAM from 25 to 25: lost",
            "DATAGRAM from 25 to 25: late",
            "DATAGRAM from 25 to 25: twice",
            "soon there are 2",
            "then, after 300 ms, 0",
            "then, after 300 ms, 1",
            "rome: listen on 10.0.0.3:25: Too many open files",
            "files open: 1",
            "a medium that fails: Input/output error",
            "a full disk: No space left on device",
            "after the power failure: [forced, hoped for]"),
        told);
  }

  @Test
  void audit_histories_areRightAndWrong() {
    Audit.run(told::add);
    assertEquals(
        List.of(
            "bob took the first",
            """
            [  0.000000 s ..   0.000000 s] ann: add first -> done
            [  1.000000 s ..   1.000000 s] ann: add second -> done
            [  2.000000 s ..   2.000000 s] bob: poll -> first\
            """,
            "a get beside the put: right",
            "a get after it: wrong with a: the history of 'a' is not linearizable: no order"
                + " explains the answers to what was called before the return of"),
        told);
  }

  @Test
  void receipts_callOfTheRealClock_isFound() throws IOException {
    Receipts.run(Path.of("target/classes/dev/rondo/examples/worlds"), told::add);
    assertEquals(
        List.of(
            "1 calls leave the simulation:",
            "dev.rondo.examples.worlds.Receipts.receipt(Receipts.java:45):"
                + " java.lang.System.currentTimeMillis() reads the real clock",
            "the till has closed"),
        told);
  }
}
