/// Files and folders, for tasks: [WaitForFile], [OpenFile] and [FolderListing].
@NullMarked
package dev.rondo.io.file;

import org.jspecify.annotations.NullMarked;
