package dev.rondo.benchmarks.run;

import dev.rondo.benchmarks.Footprint;
import dev.rondo.benchmarks.StartUp;
import dev.rondo.benchmarks.bugs.BugTable;
import dev.rondo.benchmarks.calls.Calls;
import dev.rondo.benchmarks.load.ClusterLoad;
import dev.rondo.benchmarks.load.ConnectionsLoad;
import dev.rondo.benchmarks.load.EchoLoad;
import dev.rondo.benchmarks.load.HeartbeatLoad;
import dev.rondo.benchmarks.load.HttpLoad;
import dev.rondo.benchmarks.load.IdleConnectionsLoad;
import dev.rondo.benchmarks.load.IdleCpu;
import dev.rondo.benchmarks.load.InspectorLoad;
import dev.rondo.benchmarks.load.JobsLoad;
import dev.rondo.benchmarks.load.Lateness;
import dev.rondo.benchmarks.load.LoopsLoad;
import dev.rondo.benchmarks.load.Soak;
import dev.rondo.benchmarks.load.TailLoad;
import dev.rondo.benchmarks.load.UiFrames;
import dev.rondo.benchmarks.load.WebLoad;
import dev.rondo.benchmarks.world.Determinism;
import dev.rondo.benchmarks.world.WorldSpeed;
import java.util.List;

/// All workloads. Sizes beyond those in the benchmark classes are for [Growth], and only for the
/// benchmarks whose lines it draws.
final class Workloads {

  private static final long LONG_MINUTES = 8;
  private static final long LONG_IDLE_MINUTES = 30;

  static final List<Workload> ALL =
      List.of(
          new LoadWorkload("footprint", Footprint.class, Footprint.names()),
          new LoadWorkload(
              "lateness",
              Lateness.class,
              "rondo",
              "rondoNoSlack",
              "rondoBound",
              "kotlinx",
              "virtualThreads"),
          new LoadWorkload("echo", EchoLoad.class),
          new LoadWorkload("connections", ConnectionsLoad.class).once(),
          new LoadWorkload(
                  "idle-connections",
                  IdleConnectionsLoad.class,
                  "RONDO_EPOLL",
                  "RONDO",
                  "NETTY_EPOLL",
                  "VIRTUAL_THREADS")
              .once()
              .withinMinutes(LONG_IDLE_MINUTES),
          new LoadWorkload("http", HttpLoad.class),
          new LoadWorkload("loops", LoopsLoad.class).once(),
          new LoadWorkload("jobs", JobsLoad.class),
          new LoadWorkload("web-tcp", WebLoad.class, "tcp").once(),
          new LoadWorkload("web-hello", WebLoad.class, "hello").once(),
          new LoadWorkload("web-json", WebLoad.class, "json").once(),
          new LoadWorkload("web-http2", WebLoad.class, "http2").once(),
          new LoadWorkload("web-tls", WebLoad.class, "tls").once(),
          new LoadWorkload("web-echo", WebLoad.class, "echo").once(),
          new LoadWorkload("web-room", WebLoad.class, "room").once().withinMinutes(10),
          new LoadWorkload("heartbeat", HeartbeatLoad.class).once().withinMinutes(LONG_MINUTES),
          new LoadWorkload("tails", TailLoad.class).once(),
          new LoadWorkload("cluster", ClusterLoad.class).once().withinMinutes(LONG_MINUTES),
          new LoadWorkload("soak", Soak.class).once().withoutLimit(),
          new LoadWorkload("ui", UiFrames.class).once(),
          new LoadWorkload("inspector", InspectorLoad.class).once(),
          new LoadWorkload("idle", IdleCpu.class, "bare", "rondo", "kotlinx", "virtualThreads"),
          new LoadWorkload("startup", StartUp.class).once(),
          new LoadWorkload("world", WorldSpeed.class),
          new LoadWorkload("determinism", Determinism.class).once().withoutLimit(),
          new LoadWorkload("bugs", BugTable.class).once(),
          new LoadWorkload("calls", Calls.class).once(),
          new JmhWorkload("switch")
              .of("SwitchBenchmark.(bare.*|rondo|rondoRecorded|rondoBound|kotlinx|virtualThreads)")
              .of("SwitchBenchmark.rondoHandoff", "ring", "2", "100")
              .of("SwitchBenchmark.(bare|rondo|kotlinx)", "ring", "1")
              .ofFew("SwitchBenchmark.(bare|rondo|kotlinx)", "ring", "1000000"),
          new JmhWorkload("turn")
              .of("TurnBenchmark.*")
              .of("TurnBenchmark.(bare|rondo)Stackless", "ring", "1", "1000000"),
          new JmhWorkload("spawn")
              .of("SpawnBenchmark.(bare.*|rondo|rondo(Bound|Stackless|Group)|[^br].*)")
              .of("SpawnBenchmark.rondoHandoff", "batch", "1"),
          new JmhWorkload("pingpong").of("PingPongBenchmark.*"),
          new JmhWorkload("stream").of("StreamBenchmark.*"),
          new JmhWorkload("fanout")
              .of("FanOutBenchmark.*")
              .of("FanOutBenchmark.(bare|rondo|rondoStackless)", "waiters", "1", "100")
              .ofFew("FanOutBenchmark.(bare|rondo|rondoStackless)", "waiters", "1000000"),
          new JmhWorkload("notify")
              .withoutAllocation()
              .of("NotifyBenchmark.*")
              .ofFew("NotifyBenchmark.rondo", "waiters", "1000000"),
          new JmhWorkload("channels")
              .of("ChannelsBenchmark.*", "channels", "1", "100", "10000")
              .ofFew("ChannelsBenchmark.*", "channels", "1000000"),
          new JmhWorkload("timers")
              .of("ArmCancelBenchmark.*")
              .of("ArmCancelBenchmark.(bare|rondo|nettyWheel)", "timers", "1", "100", "10000"),
          new JmhWorkload("expire").withoutAllocation().of("ExpireBenchmark.*"),
          new JmhWorkload("restart").of("RestartBenchmark.*"),
          new JmhWorkload("sleep").of("SleepBenchmark.*"),
          new JmhWorkload("computicle")
              .of("ComputicleStreamBenchmark.*")
              .of("ComputiclePingPongBenchmark.*"),
          new JmhWorkload("handover").of("HandoverBenchmark.*"),
          new JmhWorkload("select").of("SelectBenchmark.*"),
          new JmhWorkload("lock").of("LockBenchmark.*"),
          new JmhWorkload("hotloop").of("HotLoopBenchmark.*"));

  private Workloads() {}
}
