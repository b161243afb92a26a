package dev.rondo.examples.replicatedlog;

import com.google.common.base.Throwables;
import dev.rondo.simulation.DiskOperation;
import dev.rondo.simulation.SimulatedDisk;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A host with a replica and its disk.
final class ReplicaHost {

  /// The program of the host.
  interface Main {
    void run(ReplicaHost host) throws IOException;
  }

  private static final double FAILING = 0.05;

  private final int number;
  private final int patience;
  private final SimulatedDisk disk;
  private final WorldHost host;
  private @Nullable Raft raft;
  private long lastTermLed;
  private boolean failed;

  ReplicaHost(World world, int number, int patience, Main main) {
    this.number = number;
    this.patience = patience;
    this.host =
        world.host(
            "replica-" + number,
            "10.0.0." + number,
            _ -> {
              try {
                main.run(this);
              } finally {
                failed = true;
              }
            });
    this.disk = host.disk();
    var _ = host.tolerate(ReplicaHost::isOfTheDisk);
  }

  private static boolean isOfTheDisk(Throwable failure) {
    return Throwables.getRootCause(failure) instanceof IOException;
  }

  int number() {
    return number;
  }

  int patience() {
    return patience;
  }

  WorldHost host() {
    return host;
  }

  Path folder() {
    return disk.path("/" + number);
  }

  void plays(Raft started) {
    raft = started;
  }

  /// {@return the last term that this replica has led as far as is known; 0 if none}
  long lastTermLed() {
    if (leads()) {
      lastTermLed = Objects.requireNonNull(raft).term();
    }
    return lastTermLed;
  }

  boolean leads() {
    Raft last = raft;
    return host.isUp() && last != null && last.role() instanceof Leadership;
  }

  // Faults. Each does nothing if it cannot happen now.

  void crash() {
    if (host.isUp()) {
      host.crash();
    }
  }

  void restart() {
    crash();
    heal();
  }

  void powerOff() {
    if (host.isUp()) {
      host.powerOff();
    }
  }

  void pause() {
    if (host.isUp() && !host.isPaused()) {
      host.pause();
    }
  }

  void failDisk() {
    var _ = disk.failures(DiskOperation.WRITE, "/**", FAILING);
    var _ = disk.failures(DiskOperation.FORCE, "/**", FAILING);
  }

  /// Ends all faults of this host. A replica that has ended starts again.
  void heal() {
    var _ = disk.noFailures();
    if (failed) {
      crash();
    }
    if (!host.isUp()) {
      failed = false;
      host.restart();
    } else if (host.isPaused()) {
      host.resume();
    }
  }
}
