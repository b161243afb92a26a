/// Files that a server sends. Begin with [StaticFiles].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.http.files;

import org.jspecify.annotations.NullMarked;
