package dev.rondo.computicle;

/// How many jobs of a [Pool] are in which state, at about one moment.
///
/// @param pending how many have not begun
/// @param running how many have begun and are not suspended
/// @param suspended how many were waiting for something at the end of their last turn
public record PoolCounts(int pending, int running, int suspended) {}
