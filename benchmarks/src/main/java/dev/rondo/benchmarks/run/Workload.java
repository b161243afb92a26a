package dev.rondo.benchmarks.run;

/// Something to be measured, of Rondo and its peers.
interface Workload {

  /// {@return what to call it by on the command line}
  String name();

  /// Runs it. What it found out before it failed stays.
  ///
  /// @throws Exception if it failed as a whole; a part that failed is told to the results
  void run(Results results) throws Exception;
}
