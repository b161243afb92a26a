package dev.rondo.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.Instrument;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// On BOUND a task may be suspended while it holds the lock of a class loader: the loop, which
/// alone can resume it, must not need that lock.
public class LoopClassesTest {

  /// A program that takes ways a loop seldom takes.
  static final class Program implements Runnable {

    @Override
    public void run() {
      try (Scheduler scheduler =
          Scheduler.builder()
              .backend(CoroutineBackends.bound())
              .failureHandler((where, failure) -> {})
              .build()) {
        ((Loader) Program.class.getClassLoader()).watched = Thread.currentThread();
        scheduler.spawn(
            "fails",
            () -> {
              throw new IllegalStateException("as it should");
            });
        var latch = new CountDownLatch(1);
        scheduler.spawn("blocked", () -> await(latch));
        scheduler.spawn("stubborn", scheduler::suspend);
        scheduler.spawn("ends it", latch::countDown);
        scheduler.shutdown(Duration.ZERO, Duration.ZERO);
        scheduler.start();
      }
    }

    private static @Nullable Void await(CountDownLatch latch) throws InterruptedException {
      latch.await();
      return null;
    }
  }

  /// A program whose loop waits in a strategy of its own.
  static final class WithStrategy implements Runnable {

    @Override
    public void run() {
      try (Scheduler scheduler = Scheduler.builder().backend(CoroutineBackends.bound()).build()) {
        scheduler.host().idleStrategy(new OwnStrategy());
        ((Loader) WithStrategy.class.getClassLoader()).watched = Thread.currentThread();
        try (var _ = scheduler.keepAlive()) {
          scheduler.spawn("waits", () -> scheduler.suspend());
          scheduler.start();
        }
      }
    }
  }

  /// A program that is observed.
  static final class WithInstrument implements Runnable {

    @Override
    public void run() {
      try (Scheduler scheduler =
          Scheduler.builder()
              .backend(CoroutineBackends.bound())
              .instrument(new OwnInstrument())
              .build()) {
        ((Loader) WithInstrument.class.getClassLoader()).watched = Thread.currentThread();
        scheduler.spawn(() -> {});
        scheduler.start();
      }
    }
  }

  /// Needs another class when a turn begins.
  static final class OwnInstrument implements Instrument, EngineListener {

    @Override
    public void open(Scheduler scheduler) {
      LoopView.of(scheduler).add(this);
    }

    @Override
    public void beforeTurn(Task<?> task) {
      OwnNote.take();
    }
  }

  /// That class.
  static final class OwnNote {

    static void take() {}
  }

  /// Needs another class when there is nothing to do.
  static final class OwnStrategy implements IdleStrategy {

    @Override
    public void idle() {
      OwnWait.end();
    }

    @Override
    public void idleUntil(long deadlineNanos) {}

    @Override
    public void wakeup() {}
  }

  /// That class.
  static final class OwnWait {

    static void end() {
      Scheduler.current().stop();
    }
  }

  /// Loads Rondo again, and notes what the loop's thread makes it load.
  public static final class Loader extends ClassLoader {

    final List<String> loaded = new ArrayList<>();
    public @Nullable Thread watched;

    Loader() {
      super(LoopClassesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean ofRondo = name.startsWith("dev.rondo.") && !name.equals(Loader.class.getName());
      if (!ofRondo) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        if (Thread.currentThread() == watched) {
          loaded.add(name);
        }
        return define(super.loadClass(name, false));
      }
    }

    private Class<?> define(Class<?> original) throws ClassNotFoundException {
      String path = original.getName().replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(path)) {
        byte[] bytes = in.readAllBytes();
        var domain = new ProtectionDomain(original.getProtectionDomain().getCodeSource(), null);
        return defineClass(original.getName(), bytes, 0, bytes.length, domain);
      } catch (IOException e) {
        throw new ClassNotFoundException(path, e);
      }
    }
  }

  @Test
  void load_scheduler_isAllOfTheModule() {
    List<String> names = LoopClasses.load(Scheduler.class);

    assertTrue(names.contains("dev.rondo.scheduler.engine.shutdown.Shutdown"), names::toString);
    assertTrue(names.contains(StepResult.class.getName()), names::toString);
    assertEquals(List.of(), LoopClasses.load(String.class));
  }

  @Test
  void boundLoop_onceItIsBuilt_loadsNoClassOfRondo() throws ReflectiveOperationException {
    List<String> loaded = loadedWhileRunning(Program.class);

    assertEquals(
        List.of(),
        loaded.stream().filter(each -> !each.startsWith(Program.class.getName())).toList());
  }

  @Test
  void boundLoop_withAStrategyOfAnAddOn_loadsNoClassOfIt() throws ReflectiveOperationException {
    List<String> loaded = loadedWhileRunning(WithStrategy.class);

    assertEquals(
        List.of(), loaded.stream().filter(each -> each.contains("Own")).toList(), loaded::toString);
  }

  @Test
  void boundLoop_withAnInstrument_loadsNoClassOfIt() throws ReflectiveOperationException {
    List<String> loaded = loadedWhileRunning(WithInstrument.class);

    assertEquals(
        List.of(), loaded.stream().filter(each -> each.contains("Own")).toList(), loaded::toString);
  }

  /// The classes that the loop's thread has made the class loader load.
  private static List<String> loadedWhileRunning(Class<? extends Runnable> program)
      throws ReflectiveOperationException {
    var loader = new Loader();
    var maker = Class.forName(program.getName(), true, loader).getDeclaredConstructor();
    maker.setAccessible(true); // it is in another run-time package
    ((Runnable) maker.newInstance()).run();
    return loader.loaded;
  }
}
