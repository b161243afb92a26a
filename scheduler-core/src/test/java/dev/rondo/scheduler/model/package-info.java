/// A reference model of the scheduler, made of plain lists, and a runner of random scripts on both.
@NullMarked
package dev.rondo.scheduler.model;

import org.jspecify.annotations.NullMarked;
