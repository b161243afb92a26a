/// Files and folders, for tasks: [WaitForFile], [OpenFile], [DirectoryListing] and
/// [DirectoryWatch].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.io.file;

import org.jspecify.annotations.NullMarked;
