package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import dev.rondo.simulation.model.Fifo;
import dev.rondo.simulation.model.Model;
import dev.rondo.simulation.model.Register;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Histories of the literature, right and wrong ones. In the texts of the tests a line is an
/// operation, a column an event: `[` a call, `]` its return, `>` an operation without a known
/// outcome.
final class LinearizabilityTest {

  // M. Herlihy and J. M. Wing, "Linearizability: A Correctness Condition for Concurrent Objects",
  // ACM TOPLAS 12(3), 1990, section 1.2: histories of a FIFO queue.

  /// H1: the additions overlap, so y may be behind x although its addition returned first.
  @Test
  void queue_overlappingAdditions_mayBeInEitherOrder() {
    assertRight(
        queue(
            """
            [  ]        add x
             []         add y
                []      poll x
                  []    poll y
                    [ > add z
            """));
    assertRight(
        queue(
            """
            [  ]        add x
             []         add y
                []      poll y
                  []    poll x
            """));
  }

  /// H2: x was added before y, and y comes out first.
  @Test
  void queue_laterElementFirst_isWrong() {
    assertWrong(
        queue(
            """
            []        add x
              [  ]    add y
               [  ]   poll y
            """));
  }

  /// H3: the addition has not returned, and its element was taken.
  @Test
  void queue_elementOfAPendingAddition_mayBeTaken() {
    assertRight(
        queue(
            """
            [    >  add x
              []    poll x
            """));
  }

  /// H4: both polls take y.
  @Test
  void queue_oneElementTakenTwice_isWrong() {
    assertWrong(
        queue(
            """
            [ ]       add x
             [ ]      add y
                [ ]   poll y
                 [ ]  poll y
            """));
  }

  // A. Athalye, "Testing Distributed Systems for Linearizability", 2017, and the tests of
  // Porcupine: a register.

  @Test
  void register_readsDuringAWrite_mayDifferInItsOrder() {
    assertRight(
        register(
            """
            [      ]  write 100
             [   ]    read 100
              [ ]     read 0
            """));
  }

  @Test
  void register_oldValueAfterTheNewOneWasRead_isWrong() {
    assertWrong(
        register(
            """
            [        ]  write 200
             []         read 200
               [    ]   read 0
            """));
  }

  // K. Kingsbury, the analyses of Jepsen.

  /// etcd and Consul, 2014: a replica that is behind answers a read.
  @Test
  void register_staleReadAfterAnAcknowledgedWrite_isWrong() {
    assertWrong(
        register(
            """
            []      write 1
              []    write 2
                []  read 1
            """));
  }

  /// Two leaders: both comparisons with the same value succeed.
  @Test
  void register_twoComparisonsFromOneValue_cannotBothSucceed() {
    assertWrong(
        register(
            """
            [   ]  cas 0 1 true
             [ ]   cas 0 2 true
            """));
    assertRight(
        register(
            """
            [   ]      cas 0 1 true
             [ ]       cas 0 2 false
                  []   read 1
            """));
  }

  /// MongoDB, 2013: an acknowledged write is lost.
  @Test
  void register_lostWrite_isWrong() {
    assertWrong(
        register(
            """
            []         write 1
              []       read 1
                []     cas 1 2 true
                  []   read 1
            """));
  }

  /// A write that timed out takes effect much later ...
  @Test
  void register_writeOfUnknownOutcome_mayTakeEffectLater() {
    assertRight(
        register(
            """
            [            >  write 7
             []             write 1
               []           read 1
                  []        read 7
            """));
  }

  /// ... or never ...
  @Test
  void register_writeOfUnknownOutcome_mayHaveHadNoEffect() {
    assertRight(
        register(
            """
            [            >  write 7
             []             write 1
               []           read 1
            """));
  }

  /// ... but not twice ...
  @Test
  void register_writeOfUnknownOutcome_takesEffectOnce() {
    assertWrong(
        register(
            """
            [              >  write 7
             []               read 7
               []             write 1
                  []          read 7
            """));
  }

  /// ... and not before it was called.
  @Test
  void register_writeOfUnknownOutcome_hasNoEffectBeforeItsCall() {
    assertWrong(
        register(
            """
               [  >  write 7
            []       read 7
            """));
  }

  // What reads the pictures.

  private static void assertRight(Verdict verdict) {
    if (verdict instanceof Verdict.NotLinearizable(String report)) {
      fail(report);
    }
    assertInstanceOf(Verdict.Linearizable.class, verdict);
  }

  private static void assertWrong(Verdict verdict) {
    assertInstanceOf(Verdict.NotLinearizable.class, verdict);
  }

  private static Verdict queue(String picture) {
    return check(
        Fifo.<String>model(),
        words -> words[0].equals("add") ? new Fifo.Add<>(words[1]) : new Fifo.Poll<>(),
        picture);
  }

  private static Verdict register(String picture) {
    return check(
        Register.model(0),
        words ->
            switch (words[0]) {
              case "write" -> new Register.Write<>(Integer.valueOf(words[1]));
              case "read" -> new Register.Read<>();
              default ->
                  new Register.CompareAndSet<>(
                      Integer.valueOf(words[1]), Integer.valueOf(words[2]));
            },
        picture);
  }

  private static <S extends @Nullable Object, I> Verdict check(
      Model<S, I, @Nullable Object> model, Function<String[], I> parser, String picture) {
    History<I, @Nullable Object> history = History.timedBy(() -> Duration.ZERO);
    List<String> lines = picture.lines().toList();
    int width = lines.stream().mapToInt(String::length).max().orElseThrow();
    var open = new HashMap<Integer, Invocation<I, @Nullable Object>>();
    for (int column = 0; column < width; column++) {
      for (int row = 0; row < lines.size(); row++) {
        String line = lines.get(row);
        String[] words = line.replaceAll("[\\[\\]>]", "").strip().split(" ");
        char event = column < line.length() ? line.charAt(column) : ' ';
        if (event == '[') {
          open.put(row, history.invoke("line " + row, parser.apply(words)));
        } else if (event == ']') {
          Objects.requireNonNull(open.get(row)).returned(answer(words));
        }
      }
    }
    return history.check(model, 100_000);
  }

  private static @Nullable Object answer(String[] words) {
    return switch (words[0]) {
      case "poll" -> words[1];
      case "read" -> Integer.valueOf(words[1]);
      case "cas" -> Boolean.valueOf(words[3]);
      default -> null;
    };
  }
}
