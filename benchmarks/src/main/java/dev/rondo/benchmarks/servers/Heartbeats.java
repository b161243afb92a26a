package dev.rondo.benchmarks.servers;

import com.google.common.base.Splitter;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/// The lateness of heartbeats at a fixed rate. Beats that are due while another beat is late come
/// at once, and each counts from its due time.
///
/// One thread beats; any thread takes reports.
public final class Heartbeats {

  private static final int DIGITS = 3;
  private static final double[] PERCENTILES = {50, 99, 99.9, 100};
  private static final double NANOS_PER_MICRO = 1e3;

  private final long periodNanos;
  private final Histogram late = new Histogram(DIGITS);

  /// When the next beat is due; the first one sets it.
  private long dueNanos;

  private boolean hasBegun;

  Heartbeats(Duration period) {
    this.periodNanos = period.toNanos();
  }

  synchronized void beat() {
    long now = System.nanoTime();
    if (!hasBegun) {
      hasBegun = true;
      dueNanos = now;
    }
    if (now - dueNanos < 0) {
      dueNanos = now; // the first one was late
    }
    late.recordValue(now - dueNanos);
    dueNanos += periodNanos;
  }

  /// {@return the beats since the last report, to be read by [#parse]}
  synchronized String takeReport() {
    var report = new StringBuilder().append(late.getTotalCount());
    for (double each : PERCENTILES) {
      report.append(' ').append(late.getValueAtPercentile(each));
    }
    late.reset();
    return report.toString();
  }

  /// The lateness of the beats in some time, in microseconds.
  public record Report(int beats, double median, double p99, double p999, double worst) {}

  public static Report parse(String report) {
    List<String> numbers = Splitter.on(' ').splitToList(report);
    return new Report(
        Integer.parseInt(numbers.get(0)),
        micros(numbers.get(1)),
        micros(numbers.get(2)),
        micros(numbers.get(3)),
        micros(numbers.get(4)));
  }

  private static double micros(String nanos) {
    return Long.parseLong(nanos) / NANOS_PER_MICRO;
  }
}
