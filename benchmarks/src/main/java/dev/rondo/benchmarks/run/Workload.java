package dev.rondo.benchmarks.run;

/// Something to be measured, of Rondo and its peers.
interface Workload {

  /// As many as show what differs from one JVM to the next.
  int FORKS = 2;

  /// {@return what to call it by on the command line}
  String name();

  /// {@return in how many fresh JVMs each of its rows is measured}
  int forks();

  /// Runs it. What it found out before it failed stays.
  ///
  /// @throws Exception if it failed as a whole; a part that failed is told to the results
  void run(Results results) throws Exception;
}
