package dev.rondo.application;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// How connections are handed to loops, under races: each ends with one loop or is dropped, and is
/// settled once.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class DealingStress {

  private static final Object SOCKET = "socket";

  private DealingStress() {}

  /// The port, and loops that share it.
  static class Port {

    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger settled = new AtomicInteger();
    final Dealing<Object> dealing =
        new Dealing<>(socket -> dropped.incrementAndGet(), settled::incrementAndGet);

    /// All threads have ended: connections under way arrive.
    final void count(IIII_Result result, Loop first, Loop second) {
      while (first.step() || second.step()) {}
      result.r1 = first.arrived.size();
      result.r2 = second.arrived.size();
      result.r3 = dropped.get();
      result.r4 = settled.get();
    }
  }

  /// A loop whose thread is played by an actor.
  static final class Loop {

    private final Dealing.Share<Object> share;
    private final List<Object> arrived = new ArrayList<>();

    /// Guarded by itself.
    private final ArrayDeque<Runnable> posted = new ArrayDeque<>();

    /// Guarded by `posted`.
    private boolean closed;

    Loop(Dealing<Object> dealing) {
      share = dealing.join(this::post, arrived::add);
    }

    private boolean post(Runnable action) {
      synchronized (posted) {
        return !closed && posted.add(action);
      }
    }

    boolean step() {
      Runnable action = next();
      if (action != null) {
        action.run();
      }
      return action != null;
    }

    private @Nullable Runnable next() {
      synchronized (posted) {
        return posted.poll();
      }
    }

    void stopListening() {
      var _ = step();
      List<Object> left = List.copyOf(arrived);
      arrived.clear();
      share.close(left);
    }

    /// Actions that the loop has accepted still run.
    void end() {
      synchronized (posted) {
        closed = true;
      }
      while (step()) {}
      stopListening();
    }

    void take() {
      var _ = step();
      if (!arrived.isEmpty()) {
        arrived.clear();
        share.taken();
      }
    }
  }

  /// A connection comes while one of two loops stops listening.
  @JCStressTest
  @Outcome(id = "0, 1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the other has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, dropped, or left at the loop that has stopped")
  @State
  public static class DealRacingStop extends Port {
    private final Loop first = new Loop(dealing);
    private final Loop second = new Loop(dealing);

    @Actor
    public void acceptor() {
      dealing.deal(SOCKET);
    }

    @Actor
    public void loop() {
      first.stopListening();
    }

    @Arbiter
    public void count(IIII_Result result) {
      count(result, first, second);
    }
  }

  /// A connection comes while the only loop ends.
  @JCStressTest
  @Outcome(id = "0, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "dropped")
  @Outcome(expect = Expect.FORBIDDEN, desc = "left behind, or settled twice")
  @State
  public static class DealRacingEnd extends Port {
    private final Loop first = new Loop(dealing);

    @Actor
    public void acceptor() {
      dealing.deal(SOCKET);
    }

    @Actor
    public void loop() {
      first.end();
    }

    @Arbiter
    public void count(IIII_Result result) {
      count(result, first, first);
      result.r2 = 0;
    }
  }

  /// A connection comes while the first loop begins to listen.
  @JCStressTest
  @Outcome(id = "1, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "the loop has it")
  @Outcome(id = "0, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "it came before")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost")
  @State
  public static class DealRacingJoin extends Port {
    private @Nullable Loop first;

    @Actor
    public void acceptor() {
      dealing.deal(SOCKET);
    }

    @Actor
    public void loop() {
      first = new Loop(dealing);
    }

    @Arbiter
    @SuppressWarnings("NullAway") // the actor has made it
    public void count(IIII_Result result) {
      count(result, first, first);
      result.r2 = 0;
    }
  }

  /// A connection has arrived at one of two loops, and both end: each deals its connections to the
  /// other.
  @JCStressTest
  @Outcome(id = "0, 0, 1, 1", expect = Expect.ACCEPTABLE, desc = "dropped")
  @Outcome(expect = Expect.FORBIDDEN, desc = "left behind, or dropped twice")
  @State
  public static class EndRacingEnd extends Port {
    private final Loop first = new Loop(dealing);
    private final Loop second = new Loop(dealing);

    public EndRacingEnd() {
      dealing.deal(SOCKET);
    }

    @Actor
    public void one() {
      first.end();
    }

    @Actor
    public void other() {
      second.end();
    }

    @Arbiter
    public void count(IIII_Result result) {
      count(result, first, second);
    }
  }

  /// The program takes a connection while the other loop hands its own over.
  @JCStressTest
  @Outcome(id = "1, 0, 0, 1", expect = Expect.ACCEPTABLE, desc = "one is taken, one is there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
  @State
  public static class TakeRacingStop extends Port {
    private final Loop first = new Loop(dealing);
    private final Loop second = new Loop(dealing);

    public TakeRacingStop() {
      dealing.deal(SOCKET);
      dealing.deal(SOCKET);
      var _ = second.step();
    }

    @Actor
    public void taker() {
      first.take();
    }

    @Actor
    public void stopper() {
      second.stopListening();
    }

    @Arbiter
    public void count(IIII_Result result) {
      count(result, first, second);
    }
  }
}
