package dev.rondo.benchmarks.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Benchmarks of JMH: classes or methods, with their own parameters or with others.
///
/// All rows of a job have their first fork, then all rows have their second fork. So a change of
/// the machine's speed affects all competitors alike.
final class JmhWorkload implements Workload {

  private static final String ALLOCATION = "gc.alloc.rate.norm";
  private static final String SUFFIX = "Benchmark";
  private static final int FEW_WARM_UPS = 1;
  private static final int FEW_MEASUREMENTS = 2;
  private static final String[] ROOM = {"-Xms12g", "-Xmx12g", "-Xmn8g"};
  private static final TimeValue TIMEOUT = TimeValue.seconds(90);

  /// One run of JMH.
  ///
  /// @param include a regular expression for `Class.method`
  /// @param params values for parameters, instead of those in the class
  /// @param few whether there are few iterations, because one operation takes long
  private record Job(String include, Map<String, List<String>> params, boolean few) {}

  private final String name;
  private final List<Job> jobs = new ArrayList<>();
  private boolean allocation = true;

  JmhWorkload(String name) {
    this.name = name;
  }

  /// Adds benchmarks with their own parameters.
  JmhWorkload of(String include) {
    jobs.add(new Job(pattern(include), Map.of(), false));
    return this;
  }

  /// Adds benchmarks with other values of a parameter.
  JmhWorkload of(String include, String param, String... values) {
    jobs.add(new Job(pattern(include), Map.of(param, List.of(values)), false));
    return this;
  }

  /// Leaves the column of allocation empty, because JMH would count the set-up of each invocation.
  JmhWorkload withoutAllocation() {
    allocation = false;
    return this;
  }

  /// Adds benchmarks with fewer iterations and with room for a million stacks in the young
  /// generation: for sizes at which one iteration takes seconds. In a smaller heap every collection
  /// would copy all stacks, and the benchmark would measure that.
  JmhWorkload ofFew(String include, String param, String... values) {
    jobs.add(new Job(pattern(include), Map.of(param, List.of(values)), true));
    return this;
  }

  private static String pattern(String include) {
    return "\\." + include + "$";
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int forks() {
    return FORKS;
  }

  @Override
  public void run(Results results) throws Exception {
    for (Job job : jobs) {
      var options =
          new OptionsBuilder()
              .include(job.include)
              .forks(1)
              .addProfiler(GCProfiler.class)
              .timeout(TIMEOUT)
              .verbosity(VerboseMode.NORMAL);
      job.params.forEach((param, values) -> options.param(param, values.toArray(String[]::new)));
      if (job.few) {
        options
            .warmupIterations(FEW_WARM_UPS)
            .measurementIterations(FEW_MEASUREMENTS)
            .jvmArgsPrepend(ROOM);
      }
      Collection<String> missing = new TreeSet<>();
      for (int fork = 1; fork <= FORKS; fork++) {
        Collection<RunResult> runs = new Runner(options.build()).run();
        results.addJmh(runs);
        runs.forEach(run -> add(run, results));
        missing.addAll(missing(job, runs));
      }
      missing.forEach(row -> results.fail(row, "no result; the log has its stack trace"));
    }
  }

  private void add(RunResult run, Results results) {
    Row row = row(run.getParams(), run.getPrimaryResult().getScoreUnit());
    for (BenchmarkResult fork : run.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        double value = iteration.getPrimaryResult().getStatistics().getPercentile(50);
        results.add(new Sample(row, value));
        Result<?> allocated = iteration.getSecondaryResults().get(ALLOCATION);
        if (allocation && allocated != null) {
          results.addAllocated(new Sample(row, allocated.getScore()));
        }
      }
    }
  }

  private static Row row(BenchmarkParams params, String unit) {
    return new Row(
        workload(params.getBenchmark()),
        params.getParamsKeys().stream()
            .map(key -> key + "=" + params.getParam(key))
            .collect(Collectors.joining(" ")),
        method(params.getBenchmark()),
        unit);
  }

  /// {@return `ping pong` of `a.b.PingPongBenchmark.rondo`}
  static String workload(String benchmark) {
    String type = benchmark.substring(0, benchmark.lastIndexOf('.'));
    String simple = type.substring(type.lastIndexOf('.') + 1);
    String stem =
        simple.endsWith(SUFFIX) ? simple.substring(0, simple.length() - SUFFIX.length()) : simple;
    return stem.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  private static String method(String benchmark) {
    return benchmark.substring(benchmark.lastIndexOf('.') + 1);
  }

  /// {@return the requested rows that JMH has not delivered, because a fork failed}
  private static Collection<String> missing(Job job, Collection<RunResult> runs) {
    var missing = new TreeSet<String>();
    var all =
        BenchmarkList.defaultList()
            .find(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                List.of(job.include),
                List.of());
    for (BenchmarkListEntry entry : all) {
      Map<String, String[]> params = new LinkedHashMap<>(entry.getParams().orElse(Map.of()));
      job.params.forEach((param, values) -> params.put(param, values.toArray(String[]::new)));
      int wanted =
          params.values().stream().mapToInt(values -> values.length).reduce(1, (a, b) -> a * b);
      long found =
          runs.stream()
              .filter(run -> run.getParams().getBenchmark().equals(entry.getUsername()))
              .count();
      if (found < wanted) {
        missing.add(
            workload(entry.getUsername())
                + " "
                + method(entry.getUsername())
                + (wanted == 1 ? "" : " (" + (wanted - found) + " of " + wanted + ")"));
      }
    }
    if (all.isEmpty()) {
      missing.add(job.include + ": there is no such benchmark");
    }
    return missing;
  }
}
