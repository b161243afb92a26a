package dev.rondo.cluster;

import dev.rondo.cluster.internal.agreement.Command;
import dev.rondo.cluster.internal.agreement.Command.Kind;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.Member;
import dev.rondo.cluster.simulation.FaultyEtcd;
import dev.rondo.cluster.simulation.SimulatedEtcd;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A mistake that [ClusterWorld] plants, to see that its checks find it.
enum Mistake {
  NONE,
  WATCH_MISSES_EVENTS,
  WATCH_IS_OUT_OF_ORDER,
  RANGE_IS_STALE,
  ANSWER_IS_NOT_FORCED,
  RETRY_IS_APPLIED_TWICE,
  STATE_IS_OLD,
  RENEWAL_DOES_NOT_KEEP_THE_LEASE,
  LEASE_ENDS_BEFORE_ITS_TIME,
  FREE_LEASE_IS_NOT_ASKED_FOR,
  READ_IS_LOCAL,
  ANSWER_COMES_BEFORE_AGREEMENT,
  COMPARISON_IS_IGNORED,
  CLOCKS_DIFFER_TOO_MUCH,
  RENEWAL_COUNTS_FROM_ITS_ANSWER,
  HOLDER_DOES_NOT_LOOK,
  MESSAGE_COMES_TWICE,
  MESSAGE_IS_LOST,
  MESSAGE_IS_OVERTAKEN;

  private static final int USUAL_DRIFT = 23_900;
  private static final int LARGE_DRIFT = 400_000;

  /// Parts per million. The rates of two clocks differ by 4.9 % at most, which is less than a
  /// twentieth.
  int mostDrift() {
    return this == CLOCKS_DIFFER_TOO_MUCH ? LARGE_DRIFT : USUAL_DRIFT;
  }

  WorldHost.Main etcd() {
    return switch (this) {
      case WATCH_MISSES_EVENTS -> FaultyEtcd.whoseWatchMissesEvents();
      case WATCH_IS_OUT_OF_ORDER -> FaultyEtcd.whoseWatchIsOutOfOrder();
      case RANGE_IS_STALE -> FaultyEtcd.whoseRangesAreStale();
      case ANSWER_IS_NOT_FORCED -> FaultyEtcd.thatForcesNothing();
      default -> SimulatedEtcd::run;
    };
  }

  long token(Lease lease) {
    return this == HOLDER_DOES_NOT_LOOK ? lease.tokenUnchecked() : lease.token();
  }

  /// @param held the lease of this node that has a token
  Engine.Maker engines(Scheduler scheduler, LongFunction<Optional<Lease>> held) {
    Engine.Maker right = Engines.of(scheduler);
    return switch (this) {
      case RETRY_IS_APPLIED_TWICE -> withMachine(right, Twice::new);
      case STATE_IS_OLD -> withMachine(right, Late::new);
      case RENEWAL_DOES_NOT_KEEP_THE_LEASE ->
          withCommands(right, it -> changed(it, Kind.EXPIRE, Kind.RELEASE, 1));
      case LEASE_ENDS_BEFORE_ITS_TIME ->
          withCommands(right, it -> it.kind() == Kind.TAKE ? shorter(it) : it);
      case RENEWAL_COUNTS_FROM_ITS_ANSWER ->
          withMachine(right, machine -> new Answers(machine, scheduler, held));
      case FREE_LEASE_IS_NOT_ASKED_FOR -> withMachine(right, Greedy::new);
      case READ_IS_LOCAL -> withProposals(right, Mistake::readLocally);
      case ANSWER_COMES_BEFORE_AGREEMENT -> withProposals(right, Mistake::answerAtOnce);
      case COMPARISON_IS_IGNORED ->
          withCommands(right, it -> changed(it, Kind.COMPARE, Kind.WRITE, 1));
      case MESSAGE_COMES_TWICE -> withFrames(right, Mistake::twice);
      case MESSAGE_IS_LOST -> withFrames(right, Mistake::withoutFirst);
      case MESSAGE_IS_OVERTAKEN -> withFrames(right, List::reversed);
      default -> right;
    };
  }

  private static Command parsed(byte[] command) {
    return Objects.requireNonNull(Command.of(command));
  }

  private static Command changed(Command command, Kind from, Kind to, int parts) {
    return command.kind() == from
        ? Command.of(to, command.name(), command.first(), command.second() / parts)
            .numbered(command.client(), command.id(), command.completed())
            .with(command.value(), command.expected())
        : command;
  }

  private static Command shorter(Command take) {
    return Command.of(Kind.TAKE, take.name(), take.first() / 3, take.second())
        .numbered(take.client(), take.id(), take.completed())
        .with(take.value(), null);
  }

  // What nodes apply.

  private interface Wrapper {
    Engine.Machine around(Engine.Machine right);
  }

  private static Engine.Maker withMachine(Engine.Maker right, Wrapper wrapper) {
    return (config, listener, machine) -> right.make(config, listener, wrapper.around(machine));
  }

  private static Engine.Maker withCommands(Engine.Maker right, UnaryOperator<Command> change) {
    return withMachine(
        right,
        machine ->
            new Wrong(machine) {
              @Override
              public void apply(byte[] command) {
                super.apply(change.apply(parsed(command)).bytes());
              }
            });
  }

  private static class Wrong implements Engine.Machine {

    private final Engine.Machine right;

    Wrong(Engine.Machine right) {
      this.right = right;
    }

    @Override
    public void apply(byte[] command) {
      right.apply(command);
    }

    @Override
    public byte[] save() throws IOException {
      return right.save();
    }

    @Override
    public void restore(byte[] saved) throws IOException {
      right.restore(saved);
    }
  }

  /// A command that comes again has another number.
  private static final class Twice extends Wrong {

    private final Map<String, Integer> seen = new HashMap<>();

    Twice(Engine.Machine right) {
      super(right);
    }

    @Override
    public void apply(byte[] command) {
      Command read = parsed(command);
      int times = seen.merge(read.client() + " " + read.id(), 1, Integer::sum);
      boolean again = times > 1 && read.kind() == Kind.WRITE;
      super.apply(
          again
              ? read.numbered(read.client(), read.id() + times * 1_000_000L, 0).bytes()
              : command);
    }
  }

  /// Who begins with the state gives tokens again.
  private static final class Late extends Wrong {

    private byte @Nullable [] last;

    Late(Engine.Machine right) {
      super(right);
    }

    @Override
    public byte[] save() throws IOException {
      byte[] before = last;
      last = super.save();
      return before == null ? last : before;
    }
  }

  /// A holder believes in its lease from when it knows that the lease was renewed, not from when it
  /// asked for that.
  private static final class Answers extends Wrong {

    private final Scheduler scheduler;
    private final LongFunction<Optional<Lease>> held;

    Answers(Engine.Machine right, Scheduler scheduler, LongFunction<Optional<Lease>> held) {
      super(right);
      this.scheduler = scheduler;
      this.held = held;
    }

    @Override
    public void apply(byte[] command) {
      super.apply(command);
      Command read = parsed(command);
      if (read.kind() == Kind.RENEW) {
        var _ =
            scheduler.post(() ->
                held.apply(read.first())
                    .filter(Lease::isHeld)
                    .ifPresent(each -> each.prolong(scheduler.host().nowNanos())));
      }
    }
  }

  /// The holder is not asked.
  private static final class Greedy extends Wrong {

    private final Map<String, Long> tokens = new HashMap<>();
    private long number = 1L << 40;

    Greedy(Engine.Machine right) {
      super(right);
    }

    @Override
    public void apply(byte[] command) {
      Command read = parsed(command);
      if (read.kind() == Kind.RENEW) {
        tokens.put(read.name(), read.first());
      } else if (read.kind() == Kind.TAKE && tokens.containsKey(read.name())) {
        super.apply(
            Command.of(Kind.RELEASE, read.name(), tokens.get(read.name()), 0)
                .numbered(read.client(), number++, 0)
                .bytes());
      }
      super.apply(command);
    }
  }

  // What nodes propose.

  private interface Proposing {
    void propose(Engine right, Engine.Machine machine, byte[] command);
  }

  private static void readLocally(Engine right, Engine.Machine machine, byte[] command) {
    if (parsed(command).kind() == Kind.READ) {
      machine.apply(command);
    } else {
      right.propose(command);
    }
  }

  private static void answerAtOnce(Engine right, Engine.Machine machine, byte[] command) {
    machine.apply(command);
    right.propose(command);
  }

  // What nodes send.

  /// Treats some of the messages that a node sends together otherwise.
  private static Engine.Maker withFrames(Engine.Maker right, UnaryOperator<List<Frame>> change) {
    return (config, listener, machine) ->
        new ForwardingEngine(right.make(config, listener, machine)) {

          private int sent;

          @Override
          public void send(Member to, List<Frame> frames) {
            boolean isMessage = frames.stream().allMatch(it -> it.kind() == Frame.Kind.MESSAGE);
            engine.send(to, isMessage && ++sent % 10 == 0 ? change.apply(frames) : frames);
          }
        };
  }

  private static List<Frame> withoutFirst(List<Frame> frames) {
    return frames.subList(Math.min(1, frames.size() - 1), frames.size());
  }

  private static List<Frame> twice(List<Frame> frames) {
    return Stream.concat(frames.stream(), frames.stream()).toList();
  }

  private static Engine.Maker withProposals(Engine.Maker right, Proposing proposing) {
    return (config, listener, machine) ->
        new ForwardingEngine(right.make(config, listener, machine)) {
          @Override
          public void propose(byte[] command) {
            proposing.propose(engine, machine, command);
          }
        };
  }
}
