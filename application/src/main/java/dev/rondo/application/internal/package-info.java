/// Types that the packages of this module share and do not export.
@NullMarked
package dev.rondo.application.internal;

import org.jspecify.annotations.NullMarked;
