/// Several schedulers in one process, each on a thread of its own: computicles, and the endpoints
/// that they exchange messages at.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
package dev.rondo.computicle;
