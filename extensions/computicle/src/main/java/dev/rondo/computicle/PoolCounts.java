package dev.rondo.computicle;

/// The number of jobs of a [Pool] in each state, at about one moment.
///
/// @param pending the jobs that have not begun
/// @param running the jobs that have begun and are not suspended
/// @param suspended the jobs that were waiting at the end of their last turn
public record PoolCounts(int pending, int running, int suspended) {}
