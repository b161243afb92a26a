package dev.rondo.computicle;

import dev.rondo.scheduler.internal.rooms.WaitClaim;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/// What endpoints are made of, under races: a message is in one place, whatever ends a wait, and
/// its sender knows whether it was taken.
///
/// Two actors everywhere: jcstress silently leaves out a test with more actors than the machine has
/// processors.
final class ExchangeStress {

  private static final Object MESSAGE = "message";
  private static final Closing CLOSED = new Closing(false, null);

  private ExchangeStress() {}

  private static int bit(boolean fact) {
    return fact ? 1 : 0;
  }

  private static int sent(Object answer) {
    return bit(answer == Exchange.Answer.SENT);
  }

  /// A wait whose task is played by the test.
  private static final class Wait extends Party {

    private volatile @Nullable Object outcome;

    Wait(WaitClaim claim, @Nullable Object element) {
      super(claim, element);
    }

    static Wait toReceive() {
      return new Wait(new WaitClaim(), null);
    }

    static Wait toSend() {
      return new Wait(new WaitClaim(), MESSAGE);
    }

    @Override
    void settle(Object result) {
      outcome = result;
    }

    /// Ends it, as a cancellation does.
    boolean cancel(Exchange exchange) {
      boolean ended = claim.tryTake();
      exchange.leave(this);
      return ended;
    }

    int received() {
      return bit(outcome == MESSAGE);
    }

    /// 1 if its message was taken, 2 if the exchange was closed, 0 if it waits.
    int sendOutcome() {
      Object seen = outcome;
      return seen == Exchange.Answer.SENT ? 1 : seen instanceof Closing ? 2 : 0;
    }
  }

  /// A message for the buffer, and the end.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "taken, and in the buffer")
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused, and not there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or taken though it was refused")
  @State
  public static class SendRacingClose {
    private final Exchange exchange = new Exchange(1);

    @Actor
    public void sender(II_Result result) {
      result.r1 = sent(exchange.put(MESSAGE, null));
    }

    @Actor
    public void closer() {
      exchange.close(CLOSED);
    }

    @Arbiter
    public void left(II_Result result) {
      result.r2 = exchange.size();
    }
  }

  /// A message for the buffer, and a receiver that ends it and collects what is left.
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "taken, and collected")
  @Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused, and not collected")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or left behind")
  @State
  public static class SendRacingCollect {
    private final Exchange exchange = new Exchange(1);

    @Actor
    public void sender(III_Result result) {
      result.r1 = sent(exchange.put(MESSAGE, null));
    }

    @Actor
    public void receiver(III_Result result) {
      exchange.close(new Closing(true, null));
      result.r2 = exchange.clear().size();
    }

    @Arbiter
    public void left(III_Result result) {
      result.r3 = exchange.size();
    }
  }

  /// A sender waits; a receiver comes, and the end does.
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "received, and the sender knows")
  @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "closed, and the sender knows")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the two sides know different things")
  @State
  public static class ReceiveRacingClose {
    private final Exchange exchange = new Exchange(0);
    private final Wait sender = Wait.toSend();

    public ReceiveRacingClose() {
      exchange.put(MESSAGE, sender);
    }

    @Actor
    public void receiver(II_Result result) {
      result.r1 = bit(exchange.take(null) == MESSAGE);
    }

    @Actor
    public void closer() {
      exchange.close(CLOSED);
    }

    @Arbiter
    public void known(II_Result result) {
      result.r2 = sender.sendOutcome();
    }
  }

  /// A receiver waits, and is cancelled while a message for it comes.
  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE, desc = "received: cancelled too late")
  @Outcome(id = "1, 1, 0, 1", expect = Expect.ACCEPTABLE, desc = "cancelled, and in the buffer")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, twice there, or not taken")
  @State
  public static class SendRacingCancelOfReceiver {
    private final Exchange exchange = new Exchange(1);
    private final Wait receiver = Wait.toReceive();

    public SendRacingCancelOfReceiver() {
      exchange.take(receiver);
    }

    @Actor
    public void sender(IIII_Result result) {
      result.r1 = sent(exchange.put(MESSAGE, null));
    }

    @Actor
    public void canceller(IIII_Result result) {
      result.r2 = bit(receiver.cancel(exchange));
    }

    @Arbiter
    public void left(IIII_Result result) {
      result.r3 = receiver.received();
      result.r4 = exchange.size();
    }
  }

  /// A sender waits, and is cancelled while a receiver comes.
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "received: cancelled too late")
  @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled, and not received")
  @Outcome(expect = Expect.FORBIDDEN, desc = "received though cancelled, or lost")
  @State
  public static class ReceiveRacingCancelOfSender {
    private final Exchange exchange = new Exchange(0);
    private final Wait sender = Wait.toSend();

    public ReceiveRacingCancelOfSender() {
      exchange.put(MESSAGE, sender);
    }

    @Actor
    public void receiver(III_Result result) {
      result.r1 = bit(exchange.take(null) == MESSAGE);
    }

    @Actor
    public void canceller(III_Result result) {
      result.r2 = bit(sender.cancel(exchange));
    }

    @Arbiter
    public void left(III_Result result) {
      result.r3 = sender.sendOutcome();
    }
  }

  /// Two tasks, each of which selects: one sends where the other receives, both begin to wait.
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "they have met")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both wait, or only one has done it")
  @State
  public static class ArmRacingArm {
    private final Exchange exchange = new Exchange(0);
    private final Wait sender = Wait.toSend();
    private final Wait receiver = Wait.toReceive();
    private int put;
    private int taken;

    @Actor
    public void one() {
      put = sent(exchange.put(MESSAGE, sender));
    }

    @Actor
    public void other() {
      taken = bit(exchange.take(receiver) == MESSAGE);
    }

    @Arbiter
    public void left(III_Result result) {
      result.r1 = put + sender.sendOutcome();
      result.r2 = taken + receiver.received();
      result.r3 = exchange.waitingSenderCount() + exchange.waitingReceiverCount();
    }
  }

  /// A message that its receiver could not keep is put back while another receiver comes.
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the other has it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or left while a receiver waits")
  @State
  public static class GiveBackRacingReceive {
    private final Exchange exchange = new Exchange(0);
    private final Wait receiver = Wait.toReceive();
    private int taken;

    @Actor
    public void one() {
      exchange.giveBack(MESSAGE);
    }

    @Actor
    public void other() {
      taken = bit(exchange.take(receiver) == MESSAGE);
    }

    @Arbiter
    public void left(II_Result result) {
      result.r1 = taken + receiver.received();
      result.r2 = exchange.size();
    }
  }
}
