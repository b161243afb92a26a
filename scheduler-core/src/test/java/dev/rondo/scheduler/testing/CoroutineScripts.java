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

/// The loop that the tests of a [CoroutineBackend] play, and the bodies they drive.
@ExtendWith(HangGuard.class)
abstract class CoroutineScripts {

  final StringBuilder trace = new StringBuilder();
  private final List<Script> scripts = new ArrayList<>();

  /// The backend to prove.
  protected abstract CoroutineBackend backend();

  /// Whether a frame that cannot be moved makes `suspend` throw. The default says it does.
  protected boolean pins() {
    return true;
  }

  /// Whether a body that blocks in the JDK leaves the loop free. The default says it does not.
  protected boolean blocksApart() {
    return false;
  }

  /// Whether a body may be the loop of other coroutines. The default says it may.
  protected boolean nests() {
    return true;
  }

  /// A body that is driven to its end.
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

    /// Resumes until it suspends or ends, waiting where it is blocked.
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

  /// Every coroutine was brought to its end. Called by JUnit.
  @AfterEach
  public final void allEnded() {
    assertEquals(List.of(), scripts.stream().filter(each -> !each.ended).toList());
  }
}
