/// What a system should do, one operation after another: the models that a
/// [dev.rondo.simulation.History] is compared with.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
package dev.rondo.simulation.model;
