package dev.rondo.scheduler.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.engine.util.SpinWait;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A thread that was preempted between the two steps of a post: it has reserved its place in the
/// inbox, and not yet written to it.
class StalledPostTest extends SchedulerTest {

  private final List<String> delivered = new ArrayList<>();
  private Inbox inbox = new Inbox(() -> {}, Runnable::run);

  @BeforeEach
  void find() {
    inbox = TaskCore.of(scheduler.newTask("finds the inbox", () -> {})).loop.inbox;
  }

  /// Takes the first step.
  ///
  /// @return the second
  private Runnable beginToPost(String what) throws ReflectiveOperationException {
    Object chunk = field(Inbox.class, "tail").get(inbox);
    Field reserved = field(chunk.getClass(), "reserved");
    int slot = reserved.getInt(chunk);
    reserved.setInt(chunk, slot + 1);
    var slots = (Object[]) field(chunk.getClass(), "slots").get(chunk);
    Runnable action = () -> delivered.add(what);
    return () -> slots[slot] = action;
  }

  private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static boolean sleepsBetweenLooks(Thread loop) {
    return loop.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(loop.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(SpinWait.class.getName()));
  }

  @Test
  void run_posterIsPreempted_sleepsInsteadOfSpinning() throws Exception {
    Thread loop = Thread.currentThread();
    Runnable rest = beginToPost("late");
    Thread poster =
        Thread.ofPlatform()
            .start(() -> {
              while (!sleepsBetweenLooks(loop)) {
                Thread.onSpinWait();
              }
              rest.run();
            });
    scheduler.start();
    poster.join();
    assertEquals(List.of("late"), delivered);
  }

  @Test
  void pass_posterIsPreempted_tasksGoOn() throws Exception {
    Runnable rest = beginToPost("late");
    scheduler.execute(() -> delivered.add("task"));
    assertTrue(scheduler.step());
    assertFalse(scheduler.step());
    rest.run();
    assertFalse(scheduler.step());
    assertEquals(List.of("task", "late"), delivered);
  }

  @Test
  void post_behindOneThatIsPreempted_keepsTheOrder() throws Exception {
    Runnable rest = beginToPost("first");
    assertTrue(scheduler.post(() -> delivered.add("second")));
    assertFalse(scheduler.step());
    assertEquals(List.of(), delivered);
    rest.run();
    assertFalse(scheduler.step());
    assertEquals(List.of("first", "second"), delivered);
  }
}
