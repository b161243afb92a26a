package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.internal.engine.Engine;
import dev.rondo.cluster.internal.etcd.EtcdEngine;
import dev.rondo.cluster.internal.etcd.OwnThread;
import dev.rondo.cluster.internal.etcd.WithinProgram;
import dev.rondo.cluster.internal.jgroups.JGroupsEngine;
import dev.rondo.cluster.internal.local.LocalEngine;
import dev.rondo.cluster.internal.world.WorldEngine;
import dev.rondo.scheduler.Scheduler;

/// Chooses the engine of a scheduler: one that is simulated on the hosts of a world; everywhere
/// else JGroups. Nodes that agree have etcd in both. Simulation and etcd are optional dependencies.
final class Engines {

  private static final boolean SIMULATES = isThere("dev.rondo.simulation.WorldHost");

  private Engines() {}

  private static boolean isThere(String type) {
    try {
      Class<?> found = Class.forName(type, false, Engines.class.getClassLoader());
      // It may be on the class path, and this class on the module path.
      Module _ = Engines.class.getModule().addReads(found.getModule());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /// Whether a node agrees with itself, in its memory.
  static boolean areNotNeeded(ClusterConfig config) {
    return config.address() == null && config.folder() == null;
  }

  static Engine.Maker of(Scheduler scheduler) {
    return SIMULATES && WorldEngine.isFor(scheduler)
        ? (config, listener, machine) -> simulated(scheduler, config, listener, machine)
        : Engines::real;
  }

  private static Engine simulated(
      Scheduler scheduler, ClusterConfig config, Engine.Listener listener, Engine.Machine machine) {
    var members = new WorldEngine(scheduler, config, listener);
    EtcdServers etcd = config.etcd();
    if (etcd == null) {
      return members;
    }
    requireGrpc();
    var seat = new WithinProgram(scheduler, members::newId);
    return new EtcdEngine(config, etcd, members, listener, machine, seat);
  }

  /// On a computer.
  static Engine real(ClusterConfig config, Engine.Listener listener, Engine.Machine machine) {
    if (config.address() == null) {
      return new LocalEngine(config, listener, machine);
    }
    Engine members = new JGroupsEngine(config, listener);
    EtcdServers etcd = config.etcd();
    if (etcd == null) {
      return members;
    }
    requireGrpc();
    return new EtcdEngine(config, etcd, members, listener, machine, new OwnThread());
  }

  private static void requireGrpc() {
    if (!isThere("dev.rondo.grpc.GrpcCalls")) {
      throw new IllegalStateException("nodes that agree by etcd need rondo-grpc on their path");
    }
  }

  /// {@return a configuration as it can be used there} A node of a world that is alone has no disk.
  static ClusterConfig usable(Scheduler scheduler, ClusterConfig config) {
    return SIMULATES && WorldEngine.isFor(scheduler) && config.address() == null
        ? ClusterConfig.of(config.node()).in(config.cluster()).limited(config.limits())
        : config;
  }
}
