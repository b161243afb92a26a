/// What the packages of this module know of each other, and nobody else.
@NullMarked
package dev.rondo.application.internal;

import org.jspecify.annotations.NullMarked;
