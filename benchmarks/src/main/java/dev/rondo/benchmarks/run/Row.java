package dev.rondo.benchmarks.run;

import java.util.Locale;

/// A row of the tables: what is measured, and of whom. Rows compete that differ in `who` only.
///
/// @param workload what is to be done
/// @param params of what size, `name=value`; empty if there is but one
/// @param who does it; the name tells the role
/// @param measure what the numbers say, and their unit
record Row(String workload, String params, String who, String measure) {

  private static final String LIMIT = "bare";
  private static final String OURS = "rondo";
  private static final String STACKLESS = "Stackless";

  /// Who is compared with whom.
  enum Role {
    /// The least code that does the same job.
    LIMIT,
    /// Rondo.
    OURS,
    /// What somebody could use instead.
    PEER
  }

  Role role() {
    if (who.startsWith(LIMIT)) {
      return Role.LIMIT;
    }
    return who.startsWith(OURS) ? Role.OURS : Role.PEER;
  }

  /// Whether this row's limit is that one, and no other can be nearer.
  boolean hasLimitOfItsOwn(Row limit) {
    return role() == Role.OURS
        && who.substring(OURS.length()).equals(limit.who.substring(LIMIT.length()));
  }

  /// Whether that one is the limit of all that have none of their own. It has a stack, so it is not
  /// that of those who have none.
  boolean hasGeneralLimit(Row limit) {
    return limit.who.equals(LIMIT) && !who.endsWith(STACKLESS);
  }

  boolean competesWith(Row other) {
    return workload.equals(other.workload)
        && params.equals(other.params)
        && measure.equals(other.measure);
  }

  /// Whether more is better: so it is of what is counted per second.
  boolean moreIsBetter() {
    return measure.toLowerCase(Locale.ROOT).endsWith("/s");
  }
}
