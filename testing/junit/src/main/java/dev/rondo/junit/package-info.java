/// Tests that run as tasks under virtual time: [RondoTest], for JUnit 5, which is an optional
/// dependency of this module.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.junit;

import org.jspecify.annotations.NullMarked;
