/// A reference model of the scheduler, made of plain lists, and what runs random scripts on both.
@NullMarked
package dev.rondo.scheduler.model;

import org.jspecify.annotations.NullMarked;
