package dev.rondo.benchmarks.load;

import com.google.common.collect.Iterators;
import dev.rondo.benchmarks.SchedStat;
import dev.rondo.benchmarks.run.Sample;
import dev.rondo.computicle.Computicle;
import dev.rondo.computicle.Pool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/// Small jobs that compute, on one loop and on two: jobs of a pool, messages of computicles, and
/// beside them tasks of a JDK's thread pool. The processor time of a job is that of the loops, so
/// the thread that hands out the jobs does not count. It shares the two cores with them.
public final class JobsLoad {

  private static final String WORKLOAD = "loops";
  private static final String PARAMS = "small jobs";
  private static final String LOOP = "worker";
  private static final int JOBS = 50_000;
  private static final int ROUNDS = 7;
  private static final int WARM_UPS = 3;
  private static final int STEPS = 4_000;
  private static final long SEED = 88172645463325252L;
  private static final double MICRO_NANOS = 1e3;
  private static final LongAdder RESULTS = new LongAdder();

  private JobsLoad() {}

  /// Who does the jobs.
  private enum Kind {
    pool {
      @Override
      Workers start(int loops) {
        var pool = new Pool(LOOP, loops);
        return new Workers(job -> pool.spawn(job::run), pool);
      }
    },
    computicles {
      @Override
      Workers start(int loops) {
        List<Computicle<Runnable>> all = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
          all.add(Computicle.start(LOOP + i, (app, mailbox) -> mailbox.forEach(Runnable::run)));
        }
        Iterator<Computicle<Runnable>> next = Iterators.cycle(all);
        return new Workers(job -> next.next().send(job), () -> all.forEach(Computicle::close));
      }
    },
    threads {
      @Override
      Workers start(int loops) {
        var number = new AtomicInteger();
        ExecutorService executor =
            Executors.newFixedThreadPool(
                loops, code -> new Thread(code, LOOP + number.getAndIncrement()));
        return new Workers(executor::execute, executor);
      }
    };

    abstract Workers start(int loops);
  }

  private record Workers(Consumer<Runnable> jobs, AutoCloseable closing) {}

  static void main() throws Exception {
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      for (Kind each : Kind.values()) {
        measure(each, 1, i >= 0);
        measure(each, 2, i >= 0);
      }
    }
  }

  private static void measure(Kind kind, int loops, boolean counts) throws Exception {
    Workers workers = kind.start(loops);
    try (AutoCloseable _ = workers.closing) {
      run(workers, JOBS / 10); // the threads are there
      SchedStat before = loops();
      long begin = System.nanoTime();
      run(workers, JOBS);
      double took = System.nanoTime() - begin;
      SchedStat after = loops();
      double nanos = after.ranNanosSince(before);
      if (counts) {
        String who = kind + "On" + loops;
        Sample.print(WORKLOAD, PARAMS, who, "CPU us/job", nanos / MICRO_NANOS / JOBS);
        Sample.print(
            WORKLOAD,
            PARAMS,
            who,
            "% of it on the busiest thread",
            100 * after.busiestRanNanosSince(before) / nanos);
        Sample.print(WORKLOAD, PARAMS, who, "us/job", took / MICRO_NANOS / JOBS);
      }
    }
  }

  private static SchedStat loops() throws IOException {
    return SchedStat.of(Path.of("/proc/self/task"), name -> name.startsWith(LOOP));
  }

  private static void run(Workers workers, int jobs) throws InterruptedException {
    var left = new CountDownLatch(jobs);
    for (int i = 0; i < jobs; i++) {
      workers.jobs.accept(() -> {
        compute();
        left.countDown();
      });
    }
    left.await();
  }

  /// A generator of pseudo-random numbers (Marsaglia, Xorshift RNGs, 2003), which no compiler
  /// shortens.
  private static void compute() {
    long value = SEED;
    for (int i = 0; i < STEPS; i++) {
      value ^= value << 13;
      value ^= value >>> 7;
      value ^= value << 17;
    }
    RESULTS.add(value);
  }
}
