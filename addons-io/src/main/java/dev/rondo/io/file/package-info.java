/// Files and folders, for tasks: [WaitForFile], [OpenFile], [FolderListing] and [FolderWatch].
@NullMarked
package dev.rondo.io.file;

import org.jspecify.annotations.NullMarked;
