package dev.rondo.examples.time;

import dev.rondo.application.Application;
import dev.rondo.time.Backoff;
import dev.rondo.time.Coalescer;
import dev.rondo.time.RateLimiter;
import dev.rondo.time.Retry;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/// A client of a service that allows four calls a second and fails now and then. Calls wait for the
/// limiter and are retried. A search begins when the user has stopped typing. The progress is shown
/// at most twice a second.
final class FlakyService {

  private static final int CALLS_PER_SECOND = 4;
  private static final int ATTEMPTS = 3;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration TYPING = Duration.ofMillis(300);
  private static final Duration KEY = Duration.ofMillis(100);
  private static final Duration REFRESH = Duration.ofMillis(500);

  private final Application app;
  private final Consumer<String> out;
  private final RateLimiter limiter;
  private final Retry retry;
  private int calls;
  private int answers;

  private FlakyService(Application app, Consumer<String> out) {
    this.app = app;
    this.out = out;
    this.limiter = new RateLimiter(app.scheduler(), CALLS_PER_SECOND, Duration.ofSeconds(1));
    this.retry =
        new Retry(app.scheduler(), Backoff.exponential(ATTEMPTS, PAUSE), new Random(1))
            .onlyAfter(failure -> failure instanceof IOException);
  }

  static void main() {
    Application.run(app -> use(app, IO::println));
  }

  static void use(Application app, Consumer<String> out) throws Exception {
    var client = new FlakyService(app, out);
    client.download();
    client.type("rondo");
    client.probe();
  }

  /// Twelve pages, with the progress of the download.
  private void download() throws IOException {
    var progress =
        Coalescer.throttle(
            app.scheduler(), REFRESH, () -> out.accept("%d pages".formatted(answers)));
    for (int page = 1; page <= 12; page++) {
      retry.run(this::call);
      answers++;
      progress.call();
    }
    boolean pending = progress.cancel();
    out.accept(
        "%d pages by %d calls; a last line is left out: %b".formatted(answers, calls, pending));
  }

  /// Searches when there was no key for a while.
  private void type(String word) {
    var text = new StringBuilder();
    var search =
        Coalescer.debounce(app.scheduler(), TYPING, () -> out.accept("search for " + text));
    for (int i = 0; i < word.length(); i++) {
      text.append(word.charAt(i));
      search.call();
      app.sleep(KEY);
    }
    app.sleep(TYPING);
    search.call();
    out.accept("the window is closed, and a search with it: " + search.cancel());
  }

  /// Calls only if the limiter allows it at once.
  private void probe() throws IOException {
    int made = 0;
    while (limiter.tryAcquire()) {
      made++;
    }
    out.accept("%d calls are allowed at once".formatted(made));
    String answer = retry.run(() -> "status " + status());
    out.accept(answer);
  }

  /// The third call of each five fails.
  private void call() throws IOException {
    limiter.acquire();
    calls++;
    if (calls % 5 == 3) {
      throw new IOException("try again");
    }
  }

  private int status() throws IOException {
    call();
    return 200;
  }
}
