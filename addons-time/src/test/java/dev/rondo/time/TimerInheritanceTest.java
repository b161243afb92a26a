package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.ContextPropagation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The task of a timer inherits from the task that started the timer.
final class TimerInheritanceTest extends OnEveryBackend {

  private static final TaskLocal<String> USER = TaskLocal.named("user");

  private void logUser() {
    log(USER.getOrDefault("nobody"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void delay_startedWhereALocalIsBound_isBoundInItsTask(int millis) {
    run(() -> {
      TaskLocal.where(USER, "ada").run(() -> time().delay(ms(millis), this::logUser));
      time().delay(ms(millis), this::logUser);
    });
    assertEquals(List.of("ada@" + millis, "nobody@" + millis), log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void delay_startedOutsideOfTasks_inheritsNothing(int millis) {
    time().delay(ms(millis), this::logUser);
    run(() -> TaskLocal.where(USER, "ada").run(() -> sleep(9)));
    assertEquals(List.of("nobody@" + millis), log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void periodic_startedWhereALocalIsBound_isBoundInEachTick(int millis) {
    run(() ->
        TaskLocal.where(USER, "ada")
            .run(() ->
                time()
                    .periodic(
                        ms(millis),
                        timer -> {
                          logUser();
                          if (timer.fired() == 3) {
                            timer.cancel();
                          }
                        })));
    assertEquals(List.of("ada@" + millis, "ada@" + 2 * millis, "ada@" + 3 * millis), log);
  }

  @Test
  void restart_byAnotherTask_inheritsFromThat() {
    run(() -> {
      Timer timer = TaskLocal.where(USER, "ada").run(() -> time().delay(ms(5), this::logUser));
      TaskLocal.where(USER, "bob").run(timer::restart);
      timer.join();
      timer.restart();
      timer.join();
      TaskLocal.where(USER, "eve").run(() -> timer.reschedule(Duration.ZERO));
      timer.join();
    });
    assertEquals(List.of("bob@5", "nobody@10", "eve@10"), log);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void delay_withContextPropagation_hasTheContextOfItsStart(int millis) {
    var tenant = new Tenant();
    try (Scheduler own = new VirtualClock().scheduler(builder().contextPropagation(tenant))) {
      own.spawn(() -> {
        tenant.restore("acme");
        WaitForTime.on(own).delay(ms(millis), () -> log.add(tenant.capture()));
        tenant.restore("other");
        own.yield();
      });
      own.start();
    }
    assertEquals(List.of("acme"), log);
  }

  private static final class Tenant implements ContextPropagation<String> {

    private final ThreadLocal<String> current = new ThreadLocal<>();

    @Override
    public String capture() {
      return current.get();
    }

    @Override
    public void restore(String snapshot) {
      current.set(snapshot);
    }
  }
}
