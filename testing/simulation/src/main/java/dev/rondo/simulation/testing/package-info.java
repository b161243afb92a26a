/// What a test of JUnit needs for a world.
package dev.rondo.simulation.testing;
