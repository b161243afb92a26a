/// Files and folders, for tasks: [WaitForFile], [OpenFile], [DirectoryListing] and
/// [DirectoryWatch].
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.io.file;

import org.jspecify.annotations.NullMarked;
