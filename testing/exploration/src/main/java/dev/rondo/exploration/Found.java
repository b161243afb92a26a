package dev.rondo.exploration;

/// A run that has failed.
///
/// @param run its number, from 1
/// @param sequence its choices
/// @param failure what the body has thrown
record Found(int run, ChoiceSequence sequence, Throwable failure) {}
