/// Tests that run as tasks under virtual time: [RondoTest], for JUnit 5, which is an optional
/// dependency of this module.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.application.testing;

import org.jspecify.annotations.NullMarked;
