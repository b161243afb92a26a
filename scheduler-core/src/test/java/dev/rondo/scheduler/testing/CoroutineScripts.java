package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.Coroutine.Pause;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/// The loop and the bodies in the tests of a [CoroutineBackend].
@ExtendWith(HangGuard.class)
abstract class CoroutineScripts {

  final StringBuilder trace = new StringBuilder();
  private final List<Script> scripts = new ArrayList<>();

  /// The backend to test.
  protected abstract CoroutineBackend backend();

  /// Whether a frame that cannot be moved makes `suspend` throw. The default is yes.
  protected boolean pins() {
    return true;
  }

  /// Whether a body that blocks in the JDK leaves the loop free. The default is no.
  protected boolean blocksApart() {
    return false;
  }

  /// Whether a body may be the loop of other coroutines. The default is yes.
  protected boolean nests() {
    return true;
  }

  /// A body that the test runs to its end.
  final class Script implements Coroutine.Body {

    final Consumer<Coroutine> code;
    final Coroutine coroutine;
    final Semaphore unblocked = new Semaphore(0);
    @Nullable Throwable failure;
    private boolean ended;

    Script(String name, Consumer<Coroutine> code) {
      this.code = code;
      this.coroutine = backend().newCoroutine(name, this);
      scripts.add(this);
    }

    @Override
    public void run() {
      try {
        code.accept(coroutine);
      } catch (Throwable e) {
        failure = e;
      }
    }

    @Override
    public void unblocked() {
      unblocked.release();
    }

    Pause resume() {
      Pause pause = coroutine.resume();
      ended = pause == Pause.ENDED;
      return pause;
    }

    /// Resumes until it suspends or ends, and waits while it is blocked.
    Pause go() {
      Pause pause;
      while ((pause = resume()) == Pause.BLOCKED) {
        unblocked.acquireUninterruptibly();
      }
      return pause;
    }

    void toTheEnd() {
      while (!ended) {
        go();
      }
      if (failure != null) {
        throw new AssertionError("the body failed", failure);
      }
    }
  }

  Script script(Consumer<Coroutine> code) {
    return new Script("script", code);
  }

  static Thread aside(Runnable action) {
    return Thread.ofPlatform().name("aside").daemon().start(action);
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Checks that every coroutine has ended. Called by JUnit.
  @AfterEach
  public final void allEnded() {
    assertEquals(List.of(), scripts.stream().filter(each -> !each.ended).toList());
  }
}
