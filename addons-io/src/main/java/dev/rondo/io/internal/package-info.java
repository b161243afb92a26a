/// What the packages of this module share. Not exported.
@NullMarked
package dev.rondo.io.internal;

import org.jspecify.annotations.NullMarked;
