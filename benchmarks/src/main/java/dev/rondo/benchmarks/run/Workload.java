package dev.rondo.benchmarks.run;

/// A job that is measured for Rondo and its peers.
interface Workload {

  /// The default number of forks, which shows differences between JVMs: the system property
  /// `bench.forks`.
  int FORKS = Integer.getInteger("bench.forks", 2);

  /// {@return its name on the command line}
  String name();

  /// {@return the number of fresh JVMs in which each row is measured}
  int forks();

  /// Runs the workload. Results found before a failure are kept.
  ///
  /// @throws Exception if it failed as a whole; a failure of a part is recorded in the results
  void run(Results results) throws Exception;
}
