/// What the packages of this module share. Not exported.
@NullMarked
package dev.rondo.condition.internal;

import org.jspecify.annotations.NullMarked;
