package dev.rondo.application.words;

import dev.rondo.application.words.Word.Case;
import dev.rondo.application.words.Word.Opener;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Phaser;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.Backoff;
import dev.rondo.time.RateLimiter;
import dev.rondo.time.Retry;
import dev.rondo.time.WallClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// The words of the core, of time and of conditions.
final class CoreWords {

  private static final Duration LONG = Duration.ofDays(1);

  private final List<Word> words = new ArrayList<>();

  private CoreWords() {
    core();
    time();
    conditions();
    synchronizers();
  }

  static List<Word> all() {
    return new CoreWords().words;
  }

  private void add(String text, Opener opener, String... methods) {
    words.add(new Word(text, opener, List.of(methods)));
  }

  private void core() {
    add(
        "scheduler.suspend()",
        world -> Case.of(world.scheduler()::suspend),
        "Scheduler.suspend()",
        "Scheduler.suspend(Object)");
    add(
        "app.await(waitable)",
        world -> {
          var promise = world.promise();
          return Case.of(() -> world.app().await(promise)).selectable("waitable", promise);
        },
        "TaskRunner.await(Waitable)",
        "TaskRunner.await(Waitable, Duration)",
        "Application.await(Waitable)",
        "Application.await(Waitable, Duration)",
        "Rondo.await(Waitable)");
    add(
        "host.awaitEvent(waitable)",
        world -> {
          var promise = world.promise();
          return Case.of(() -> world.scheduler().host().awaitEvent(promise))
              .selectable("waitable", promise);
        },
        "AddOnHost.awaitEvent(Waitable)",
        "AddOnHost.awaitEvent(Waitable, Duration)");
    add(
        "app.select(..)",
        world -> {
          var promise = world.promise();
          return Case.of(() -> world.app().select(promise, Waitable.never()))
              .selectable("Waitable.anyOf(..)", Waitable.anyOf(List.of(promise)));
        },
        "Scheduler.select(Waitable[])",
        "Application.select(Waitable[])");
    add(
        "select.run()",
        world -> {
          var promise = world.promise();
          return Case.doing(() -> Select.biased().on(promise, value -> {}).run());
        },
        "Select.run()",
        "Select.runReady()");
    add(
        "task.join()",
        world -> {
          Task<?> task = world.endless();
          return Case.of(task::join).selectable("task", task);
        },
        "Task.join()",
        "Task",
        "StepTask");
    add(
        "task.get()",
        world -> {
          Task<?> task = world.endless();
          return Case.of(task::get).selectable("task", task);
        },
        "Task.get()",
        "Task.get(long, TimeUnit)");
    add(
        "app.blocking(call)",
        world -> Case.doing(() -> world.app().blocking(() -> new CountDownLatch(1).await())),
        "TaskRunner.blocking(TaskAction)",
        "TaskRunner.blocking(TaskCall, Consumer)",
        "Application.blocking(TaskCall, Consumer)",
        "TaskRunner.blocking(TaskCall)",
        "Application.blocking(TaskCall)");
    add(
        "app.await(scheduler.completion(future))",
        world -> {
          Waitable<String> completion =
              world.scheduler().completion(new CompletableFuture<String>());
          return Case.of(() -> world.app().await(completion))
              .selectable("scheduler.completion(future)", completion);
        },
        "Scheduler.completion(Future)",
        "Scheduler.completion(Future, Consumer)",
        "Waitable.cancelling(Future)");
    add(
        "app.await(scheduler.shutdownRequested())",
        world -> {
          var requested = world.scheduler().shutdownRequested();
          return Case.of(() -> world.app().await(requested))
              .selectable("app.shutdownRequested()", requested);
        },
        "TaskRunner.shutdownRequested()",
        "Application.shutdownRequested()");
    add(
        "group.run(block)",
        world ->
            Case.doing(() -> {
              var group = world.app().newGroup("group");
              group.run(() -> group.spawn(() -> world.scheduler().suspend()));
            }),
        "TaskGroup.run(TaskAction)",
        "TaskGroup.run(TaskCall)");
    add(
        "generator.next()",
        world -> {
          Generator<Integer> generator =
              world.own(
                  world.scheduler().newGenerator("generator", sink -> world.scheduler().suspend()));
          return Case.of(generator::next);
        },
        "Generator.next()",
        "Generator.hasNext()");
    add(
        "generator.close()",
        world -> {
          var end = world.promise();
          world.atEnd(() -> end.fulfill("end"));
          Generator<Integer> generator =
              world
                  .scheduler()
                  .newGenerator(
                      "generator",
                      sink -> {
                        try {
                          sink.yield(1);
                        } finally {
                          world.scheduler().shielded(() -> world.app().await(end));
                        }
                      });
          generator.next();
          return Case.doing(generator::close);
        },
        "Generator.close()");
  }

  private void time() {
    add(
        "app.sleep(d)",
        world ->
            Case.doing(() -> world.app().sleep(LONG))
                .selectable("time.after(d)", world.app().time().after(LONG)),
        "WaitForTime.sleep(Duration)",
        "WaitForTime.yield(Duration)",
        "WaitForTime.yieldUntilTime(Deadline)",
        "WaitForTime.after(Duration)",
        "WaitForTime.at(Deadline)",
        "Application.sleep(Duration)",
        "Rondo.sleep(Duration)");
    add(
        "timer.join()",
        world -> {
          var timer = world.app().delay(LONG, () -> {});
          world.atEnd(timer::cancel);
          return Case.doing(timer::join).closedBy(timer::cancel).selectable("timer", timer);
        },
        "Timer.join()",
        "Timer");
    add(
        "app.await(clock.at(instant))",
        world -> {
          WallClock clock = new WallClock(world.scheduler());
          return Case.of(() -> world.scheduler().await(clock.at(Instant.MAX)))
              .selectable("clock.at(instant)", clock.at(Instant.MAX));
        },
        "WallClock.at(Instant)");
    add(
        "limiter.acquire()",
        world -> {
          var limiter = new RateLimiter(world.scheduler(), 1, LONG);
          limiter.acquire();
          return Case.doing(limiter::acquire).selectable("limiter", limiter);
        },
        "RateLimiter.acquire()",
        "RateLimiter");
    add(
        "retry.run(call)",
        world -> {
          var retry = new Retry(world.scheduler(), Backoff.exponential(9, LONG), new Random(1));
          return Case.doing(() ->
              retry.run(() -> {
                throw new IOException("again");
              }));
        },
        "Retry.run(TaskAction)",
        "Retry.run(TaskCall)");
  }

  private void conditions() {
    add(
        "app.waitForSignal(name)",
        world ->
            Case.of(() -> world.app().waitForSignal("signal"))
                .selectable(
                    "signals.signal(name)", WaitForSignal.on(world.scheduler()).signal("signal")),
        "Application.waitForSignal(Object)",
        "Rondo.waitForSignal(Object)",
        "Signal",
        "Event",
        "QueuedSignal");
    add(
        "signals.awaitAll(events)",
        world -> {
          WaitForSignal signals = WaitForSignal.on(world.scheduler());
          var a = signals.signal("a");
          var b = signals.signal("b");
          return Case.of(() -> signals.awaitAll(a, b))
              .selectable("signals.onAll(events)", signals.onAll(a, b));
        },
        "WaitForSignal.awaitAll(Event[])",
        "CompositeSignal");
    add(
        "app.waitFor(predicate)",
        world -> {
          WaitForCondition conditions = WaitForCondition.on(world.scheduler());
          return Case.doing(() -> conditions.waitFor(() -> false))
              .selectable("conditions.condition(predicate)", conditions.condition(() -> false));
        },
        "WaitForCondition.waitFor(BooleanSupplier)",
        "WaitForCondition.condition(BooleanSupplier)",
        "Application.waitFor(BooleanSupplier)",
        "Rondo.waitFor(BooleanSupplier)");
    add(
        "app.await(conditions.condition(supplier))",
        world -> {
          WaitForCondition conditions = WaitForCondition.on(world.scheduler());
          Waitable<String> value = conditions.condition(() -> Optional.empty());
          return Case.of(() -> world.scheduler().await(value))
              .selectable(
                  "conditions.condition(supplier)",
                  conditions.<String>condition(() -> Optional.empty()));
        },
        "WaitForCondition.condition(Supplier)");
  }

  private void synchronizers() {
    add(
        "mutex.lock()",
        world -> {
          Mutex mutex = new Mutex(world.scheduler(), "mutex");
          world.own(mutex.lock());
          return Case.of(mutex::lock).selectable("mutex", mutex);
        },
        "Lock.lock()",
        "Lock",
        "Mutex");
    add(
        "semaphore.acquire()",
        world -> {
          Semaphore semaphore = new Semaphore(world.scheduler(), "semaphore", 0);
          return Case.of(semaphore::acquire).selectable("semaphore", semaphore);
        },
        "Semaphore.acquire()",
        "Semaphore.permits(int)",
        "Semaphore");
    add(
        "latch.await()",
        world -> {
          Latch latch = new Latch(world.scheduler(), "latch", 1);
          return Case.doing(latch::await).selectable("latch", latch);
        },
        "Latch.await()",
        "Latch");
    add(
        "barrier.await()",
        world -> {
          Barrier barrier = new Barrier(world.scheduler(), "barrier", 3);
          return Case.of(barrier::await).closedBy(barrier::reset).selectable("barrier", barrier);
        },
        "Barrier.await()",
        "Barrier");
    add(
        "app.await(phaser.phase(n))",
        world -> {
          Phaser phaser = new Phaser(world.scheduler(), "phaser");
          var party = phaser.register();
          return Case.of(() -> world.scheduler().await(phaser.phase(0)))
              .closedBy(party::close)
              .selectable("phaser.phase(n)", phaser.phase(0));
        },
        "Phaser.phase(long)",
        "Phaser");
    add(
        "party.arriveAndAwait()",
        world -> {
          Phaser phaser = new Phaser(world.scheduler(), "phaser");
          var late = phaser.register();
          return Case.of(() -> phaser.register().arriveAndAwait()).closedBy(late::close);
        },
        "Party.arriveAndAwait()");
    add(
        "promise.claim()",
        world -> {
          Promise<String> promise = world.promise();
          return Case.of(promise::claim).closedBy(promise::close).selectable("promise", promise);
        },
        "Promise.claim()",
        "Promise.settled()",
        "Promise");
    add(
        "Promise.awaitAll(promises)",
        world -> {
          Promise<String> promise = world.promise();
          return Case.of(() -> Promise.awaitAll(List.of(promise))).closedBy(promise::close);
        },
        "Promise.awaitAll(List)");
    add(
        "Promise.awaitAny(promises)",
        world -> {
          Promise<String> promise = world.promise();
          return Case.of(() -> Promise.awaitAny(List.of(promise)).name())
              .closedBy(promise::close)
              .selectable("promise.settled()", promise.settled());
        },
        "Promise.awaitAny(List)");
    add(
        "channel.receive()",
        world -> {
          Channel<String> channel = Channel.rendezvous(world.scheduler());
          return Case.of(channel::receive)
              .closedBy(channel::close)
              .selectable("channel.receiving()", channel.receiving());
        },
        "Channel.receive()",
        "Channel.receive(Duration)",
        "Channel.receiving()",
        "Channel.receivingOrEnd()",
        "ReceiveChannel.receive()",
        "ReceiveChannel.receive(Duration)",
        "ReceiveChannel.receiving()",
        "ReceiveChannel.receivingOrEnd()");
    add(
        "subscription.receive()",
        world -> {
          Broadcast<String> broadcast = new Broadcast<>(world.scheduler(), 1, Overflow.SUSPEND);
          var subscription = broadcast.subscribe();
          return Case.of(subscription::receive)
              .closedBy(subscription::close)
              .selectable("subscription.receiving()", subscription.receiving());
        },
        "Subscription.receive()",
        "Subscription.receive(Duration)",
        "Subscription.receiving()",
        "Subscription.receivingOrEnd()");
    add(
        "for (var x : channel)",
        world -> {
          Channel<String> channel = Channel.rendezvous(world.scheduler());
          return Case.of(() -> channel.iterator().hasNext()).closedBy(channel::close);
        });
    add(
        "channel.send(x)",
        world -> {
          Channel<String> channel = Channel.rendezvous(world.scheduler());
          return Case.doing(() -> channel.send("x"))
              .closedBy(channel::close)
              .selectable("channel.sending(x)", channel.sending("x"));
        },
        "SendChannel.send(Object)",
        "SendChannel.send(Object, Duration)",
        "SendChannel.sending(Object)");
  }
}
