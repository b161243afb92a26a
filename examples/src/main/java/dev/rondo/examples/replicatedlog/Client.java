package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Command.CompareAndSet;
import dev.rondo.examples.replicatedlog.Command.OpenSession;
import dev.rondo.examples.replicatedlog.Command.Put;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.Expired;
import dev.rondo.examples.replicatedlog.Message.Found;
import dev.rondo.examples.replicatedlog.Message.NotLeader;
import dev.rondo.examples.replicatedlog.Message.Opened;
import dev.rondo.examples.replicatedlog.Message.Propose;
import dev.rondo.examples.replicatedlog.Message.Read;
import dev.rondo.examples.replicatedlog.Message.Written;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.WaitForTime;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A client of the store, for one task at a time. Each call asks the leader, and tries again, also
/// at other replicas, until it has an answer. Limit it with [Scheduler#within]. A change that was
/// given up may have been made, or may be made later. Every change is made at most once.
///
/// Confined to the scheduler's thread. Every method but `close` suspends.
public final class Client implements Closeable {

  private static final long NONE = 0;
  private static final int LONGEST_TEXT = 20_000;

  private final Scheduler scheduler;
  private final Members members;
  private final Duration patience;
  private final RandomGenerator random;
  private final Caller caller;
  private int leader;
  private long session = NONE;
  private long sequence;

  /// @param scheduler whose task calls
  /// @param members the addresses of the replicas
  /// @param patience the time that a replica has for an answer
  /// @param random chooses a replica when the leader is unknown
  public Client(Scheduler scheduler, Members members, Duration patience, RandomGenerator random) {
    this.scheduler = scheduler;
    this.members = members;
    this.patience = patience;
    this.random = random;
    this.caller = new Caller(scheduler);
    this.leader = anyReplica();
  }

  /// {@return the replica that has answered last}
  public int leader() {
    return leader;
  }

  /// {@return the value of a key as of now; null if there is none}
  ///
  /// @param key shorter than 20,000 characters
  /// @throws IOException if the answer makes no sense
  public @Nullable String get(String key) throws IOException {
    check(key);
    return expect(Found.class, ask(new Read(key))).value();
  }

  /// Sets the value of a key.
  ///
  /// @param key shorter than 20,000 characters
  /// @param value shorter than 20,000 characters
  /// @throws IOException if the session has expired, so that it is unknown whether the value was
  ///   set; the next call opens a new session
  public void put(String key, String value) throws IOException {
    check(key);
    check(value);
    open();
    var _ = change(new Put(session, ++sequence, key, value));
  }

  /// Sets the value of a key if it has an expected one.
  ///
  /// @param key shorter than 20,000 characters
  /// @param expected null if the key must have no value
  /// @param value shorter than 20,000 characters
  /// @return whether the key had the expected value, and now has the new value
  /// @throws IOException as [#put] does
  public boolean compareAndSet(String key, @Nullable String expected, String value)
      throws IOException {
    check(key);
    check(value);
    open();
    return change(new CompareAndSet(session, ++sequence, key, expected, value));
  }

  /// The encoding has a limit of 65,535 bytes.
  private static void check(String text) {
    if (text.length() >= LONGEST_TEXT) {
      throw new IllegalArgumentException(
          "keys and values are shorter than %,d characters: %,d"
              .formatted(LONGEST_TEXT, text.length()));
    }
  }

  private void open() throws IOException {
    if (session == NONE) {
      session = expect(Opened.class, ask(new Propose(new OpenSession()))).session();
      sequence = 0;
    }
  }

  private boolean change(Command command) throws IOException {
    return expect(Written.class, ask(new Propose(command))).applied();
  }

  private <A extends Answer> A expect(Class<A> type, Answer answer) throws IOException {
    if (type.isInstance(answer)) {
      return type.cast(answer);
    }
    if (answer instanceof Expired) {
      session = NONE;
    }
    throw new IOException("not a %s: %s".formatted(type.getSimpleName(), answer));
  }

  private Answer ask(Message request) throws IOException {
    while (true) {
      try {
        Message answer = caller.call(members.address(leader), request, patience);
        if (answer instanceof NotLeader(int other)) {
          lookElsewhere(other);
        } else if (answer instanceof Answer useful) {
          return useful;
        } else {
          throw new IOException("not an answer: " + answer);
        }
      } catch (IOException | TimedOutException _) {
        lookElsewhere(Members.NONE);
      }
    }
  }

  private void lookElsewhere(int other) throws IOException {
    close();
    leader = other == Members.NONE ? anotherReplica() : other;
    long longest = patience.toNanos() / 4;
    WaitForTime.on(scheduler).sleep(Duration.ofNanos(longest - random.nextLong(longest)));
  }

  private int anyReplica() {
    List<Integer> numbers = members.numbers();
    return numbers.get(random.nextInt(numbers.size()));
  }

  private int anotherReplica() {
    List<Integer> numbers = members.numbers();
    int steps = 1 + random.nextInt(Math.max(1, numbers.size() - 1));
    return numbers.get((numbers.indexOf(leader) + steps) % numbers.size());
  }

  /// Closes the connection. The session stays.
  @Override
  public void close() throws IOException {
    caller.close();
  }
}
