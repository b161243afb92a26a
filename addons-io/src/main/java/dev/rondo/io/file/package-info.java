/// Files and folders, for tasks: [WaitForFile], [OpenFile], [DirectoryListing] and
/// [DirectoryWatch].
@NullMarked
package dev.rondo.io.file;

import org.jspecify.annotations.NullMarked;
