package dev.rondo.simulation;

import dev.rondo.application.Application;
import dev.rondo.io.NameResolver;
import dev.rondo.simulation.internal.ContentDigest;
import dev.rondo.simulation.internal.net.Blocker;
import dev.rondo.simulation.internal.threads.HostSeat;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.FileSystem;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The part of a [WorldHost] that a program written for threads uses.
record ThreadSeat(World world, WorldHost host, Application application) implements HostSeat {

  @Override
  public String name() {
    return host.name();
  }

  @Override
  public InetAddress address() {
    return host.address();
  }

  @Override
  public long nanos() {
    return host.clock().local();
  }

  @Override
  public Instant instant() {
    return host.clock().instant();
  }

  @Override
  public RandomGenerator random() {
    return host.random();
  }

  @Override
  public void note(long what) {
    world.noted(what);
  }

  @Override
  public void noteContents() {
    var contents = new ContentDigest(world::noted);
    host.simulated().kernel().contents(contents);
    host.disk().contents(contents);
  }

  @Override
  public void read(String what) {
    world.read(what);
  }

  @Override
  public SelectorProvider provider() {
    return host.simulated().provider();
  }

  @Override
  public FileSystem files() {
    return host.disk().fileSystem();
  }

  @Override
  public void blocker(Blocker blocker) {
    host.simulated().kernel().network().blocker(blocker);
  }

  @Override
  public NameResolver names() {
    return world.network().names();
  }

  @Override
  public void explain(Supplier<String> lines) {
    world.explain(lines);
  }

  @Override
  public void told(String what) {
    world.told(host, what);
  }

  @Override
  public boolean isShown() {
    return world.isShown();
  }

  @Override
  public void printed(String text) {
    world.printed(host, text);
  }

  @Override
  public void exit() {
    host.exit();
  }

  @Override
  public void fail(String where, Throwable failure) {
    world.failed(host, where, failure);
  }
}
