package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.AddOnReport;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.FailureLog;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.OwnedResource;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.testing.FakeTime;
import dev.rondo.scheduler.testing.NullArguments;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A null argument is refused by the call that receives it, by name.
final class CoreNullArgumentTest {

  private final NullArguments arguments =
      new NullArguments(CoreNullArgumentTest::withTimers)
          .anyTime("ReportText.duration")
          .sample(Task.class, scheduler -> scheduler.spawn(() -> {}))
          .sample(TaskRunner.class, scheduler -> scheduler)
          .sample(TaskQueue.class, Scheduler::queue)
          .sample(TaskGroup.class, scheduler -> scheduler.newGroup("group"))
          .sample(CancelScope.class, scheduler -> scheduler.newScope("scope"))
          .sample(AddOnHost.class, Scheduler::host)
          .sample(LoopControl.class, scheduler -> LoopControl.of(scheduler.host()))
          .sample(TaskControl.class, scheduler -> TaskControl.of(scheduler.host()))
          .sample(SchedulerBuilder.class, scheduler -> Scheduler.builder())
          .sample(Select.class, scheduler -> Select.biased())
          .sample(TaskLocal.class, scheduler -> TaskLocal.named("local"))
          .sample(
              TaskLocal.Carrier.class,
              scheduler -> TaskLocal.where(TaskLocal.named("local"), "value"))
          .sample(Throwable.class, scheduler -> new IllegalStateException("sample"))
          .sample(
              TaskCancelled.class,
              scheduler -> new TaskCancelled("d", "r", "c", new Throwable("site")))
          .sample(LoopView.class, LoopView::of)
          .sample(Waitable.class, scheduler -> Waitable.never())
          .sample(WaitQueue.class, scheduler -> new WaitQueue<>())
          .sample(WaitClaim.class, scheduler -> new WaitClaim())
          .sample(ChannelList.class, scheduler -> new ChannelList())
          .sample(FailureLog.class, scheduler -> new FailureLog((level, message, failure) -> {}))
          .sample(AddOnReport.class, CoreNullArgumentTest::report)
          .engineCalls(
              AddOn.class,
              Coroutine.class,
              CoroutineBackend.class,
              EngineListener.class,
              IdleStrategy.class,
              Instrument.class,
              OwnedResource.class,
              ReceiveChannel.class,
              SchedulingPolicy.class,
              SendChannel.class,
              StepTask.class,
              TaskListener.class,
              Waiter.class);

  private static AddOnReport report(Scheduler scheduler) {
    var passed = new ArrayList<AddOnReport>();
    AddOn sample =
        new AddOn() {
          @Override
          public StepResult turn(StepTask<Void> self) {
            return StepResult.SUSPEND;
          }

          @Override
          public void describe(AddOnReport report) {
            passed.add(report);
          }
        };
    var _ = scheduler.host().install(sample);
    var _ = LoopView.of(scheduler).addOns();
    return passed.getFirst();
  }

  private static Scheduler withTimers() {
    var time = new FakeTime();
    Scheduler scheduler = Scheduler.builder().ticker(time).build();
    time.serve(scheduler);
    return scheduler;
  }

  @Test
  void null_toTheFaces_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Scheduler.class));
  }

  @Test
  void null_toAddOns_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(AddOnHost.class));
  }

  @Test
  void null_toOtherModules_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(ReportText.class));
    assertEquals(List.of(), arguments.notRefused(LoopControl.class));
  }

  @Test
  void null_toCoroutines_isRefusedByName() throws Exception {
    assertEquals(List.of(), arguments.notRefused(Coroutine.class));
  }
}
