package dev.rondo.computicle;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Endpoints by name, under races: two that ask for a name meet, and a name stands for one that is
/// open.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class EndpointsStress {

  private static final String NAME = "name";

  private EndpointsStress() {}

  private static int bit(boolean fact) {
    return fact ? 1 : 0;
  }

  /// A receiver and a sender ask for one name.
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "they have met")
  @Outcome(expect = Expect.FORBIDDEN, desc = "each has one of its own")
  @State
  public static class InRacingOut {
    private final Endpoints registry = new Endpoints();
    private @Nullable Object in;
    private @Nullable Object out;

    @Actor
    public void receiver() {
      in = registry.in(NAME, String.class);
    }

    @Actor
    public void sender() {
      out = registry.out(NAME, String.class);
    }

    @Arbiter
    public void met(I_Result result) {
      result.r1 = bit(in == out);
    }
  }

  /// One is closed while another thread asks for its name.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "a new one, which is in the list")
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the old one, which is in no list")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the list differs from what is open")
  @State
  public static class AnyRacingClose {
    private final Endpoints registry = new Endpoints();
    private final Endpoint<String> old = registry.any(NAME, String.class);
    private @Nullable Endpoint<String> found;

    @Actor
    public void closer() {
      old.close();
    }

    @Actor
    public void finder() {
      found = registry.any(NAME, String.class);
    }

    @Arbiter
    public void open(II_Result result) {
      result.r1 = bit(found != old);
      result.r2 = bit(registry.names().contains(NAME));
    }
  }
}
