package dev.rondo.benchmarks.run;

import java.util.Locale;

/// A row of the tables: a measurement of one competitor. Rows that differ only in `who` compete.
///
/// @param workload the job
/// @param params its size, `name=value`; empty if there is only one
/// @param who the competitor; its name tells its role
/// @param measure the meaning of the numbers, and their unit
record Row(String workload, String params, String who, String measure) {

  private static final String LIMIT = "bare";
  private static final String OURS = "rondo";
  private static final String STACKLESS = "Stackless";

  /// The role of a competitor.
  enum Role {
    /// The least code that does the same job.
    LIMIT,
    /// Rondo.
    OURS,
    /// An alternative that a program could use.
    PEER
  }

  Role role() {
    if (who.startsWith(LIMIT)) {
      return Role.LIMIT;
    }
    return who.startsWith(OURS) ? Role.OURS : Role.PEER;
  }

  /// {@return whether another row is this row's own limit}
  boolean hasLimitOfItsOwn(Row limit) {
    return role() == Role.OURS
        && who.substring(OURS.length()).equals(limit.who.substring(LIMIT.length()));
  }

  /// {@return whether another row is the general limit, for rows without their own limit} The
  /// general limit has a stack, so it is no limit for stackless rows.
  boolean hasGeneralLimit(Row limit) {
    return limit.who.equals(LIMIT) && !who.endsWith(STACKLESS);
  }

  boolean competesWith(Row other) {
    return workload.equals(other.workload)
        && params.equals(other.params)
        && measure.equals(other.measure);
  }

  /// {@return whether more is better, as it is for counts per second}
  boolean moreIsBetter() {
    return measure.toLowerCase(Locale.ROOT).endsWith("/s");
  }
}
