package dev.rondo.cluster;

import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.Datagram;
import dev.rondo.io.UdpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.time.WaitForTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cluster in a world. A host of its own keeps the log of commands and the list of the members,
/// and stands for a majority of voters; members reach it by datagrams, which are late, lost and
/// doubled as the world has it. So a member that is cut off from it is one without a majority.
///
/// Members say hello every 100 ms with how much of the log they have; the host answers with what
/// comes next, the members, and the leader: the one that has been there longest. A member whose
/// name is taken is none yet.
final class WorldHub {

  private static final int PORT = 7000;
  private static final int MOST_BYTES = 1_200;
  private static final int LARGEST = 2_048;
  private static final Duration HELLO = Duration.ofMillis(100);
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private static final int BYE = 1;
  private static final int PROPOSE = 2;

  private final WorldHost host;
  private final List<byte[]> log = new ArrayList<>();

  /// In the order in which they came.
  private final Map<Member, Present> members = new LinkedHashMap<>();

  private long version;
  private int joins;

  private record Present(InetSocketAddress address, Duration heard) {}

  WorldHub(World world) {
    host = world.host("log", this::keep);
  }

  /// Makes the engines of a member.
  Engine.Maker on(WorldHost member) {
    return (config, listener, machine) ->
        new Stay(member, new Member(config.node(), "id" + ++joins), listener, machine);
  }

  private static ByteBuffer written(Writing writing) throws IOException {
    var bytes = new ByteArrayOutputStream();
    writing.write(new DataOutputStream(bytes));
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private interface Writing {
    void write(DataOutputStream out) throws IOException;
  }

  private static DataInputStream receive(UdpSocket socket, ByteBuffer buffer, Sender sender)
      throws IOException {
    buffer.clear();
    Datagram datagram = socket.receive(buffer);
    sender.is(datagram.sender());
    return new DataInputStream(
        new ByteArrayInputStream(buffer.array(), buffer.arrayOffset(), datagram.bytes()));
  }

  private interface Sender {
    void is(InetSocketAddress address);
  }

  // The host of the log.

  private void keep(WorldHost own) throws IOException {
    var buffer = ByteBuffer.allocate(LARGEST);
    try (UdpSocket socket =
        UdpSocket.open(own.application().io(), new InetSocketAddress(own.address(), PORT))) {
      var from = new InetSocketAddress[1];
      while (true) {
        DataInputStream in = receive(socket, buffer, address -> from[0] = address);
        int kind = in.readByte();
        var member = new Member(in.readUTF(), in.readUTF());
        int has = in.readInt();
        if (kind == PROPOSE) {
          log.add(in.readAllBytes());
        }
        note(kind, member, from[0]);
        answer(socket, from[0], has);
      }
    }
  }

  private void note(int kind, Member member, InetSocketAddress address) {
    Duration now = host.world().elapsed();
    boolean changed =
        members
            .entrySet()
            .removeIf(each -> now.minus(each.getValue().heard()).compareTo(SILENCE) > 0);
    if (kind == BYE) {
      changed |= members.remove(member) != null;
    } else if (members.keySet().stream()
        .allMatch(each -> each.equals(member) || !each.name().equals(member.name()))) {
      changed |= members.put(member, new Present(address, now)) == null;
    }
    version += changed ? 1 : 0;
  }

  private void answer(UdpSocket socket, InetSocketAddress to, int has) throws IOException {
    socket.send(
        written(out -> {
          out.writeLong(version);
          out.writeInt(members.size());
          for (Member each : members.keySet()) {
            out.writeUTF(each.name());
            out.writeUTF(each.id());
          }
          out.writeInt(has);
          out.writeInt(log.size());
          for (int next = has; next < log.size() && out.size() < MOST_BYTES; next++) {
            out.writeShort(log.get(next).length);
            out.write(log.get(next));
          }
        }),
        to);
  }

  // The members.

  /// One stay of a member. Tasks of its scheduler speak with the host of the log.
  private final class Stay implements Engine {

    private final WorldHost own;
    private final Scheduler scheduler;
    private final Member self;
    private final Listener listener;
    private final Machine machine;
    private Task<Void> stay;

    /// Null after the end.
    private @Nullable UdpSocket socket;

    private List<Member> view;
    private boolean sending;
    private long seen = -1;
    private int applied;

    Stay(WorldHost own, Member self, Listener listener, Machine machine) {
      this.own = own;
      this.scheduler = own.scheduler();
      this.self = self;
      this.view = List.of(self);
      this.listener = listener;
      this.machine = machine;
    }

    @Override
    public void join() {
      var _ = scheduler.post(() -> stay = daemon("hub", this::stay));
    }

    private Task<Void> daemon(String name, TaskAction<?> code) {
      Task<Void> task = scheduler.newTask(name, code).daemon();
      var _ = scheduler.scheduleTask(task);
      return task;
    }

    private void stay() throws IOException {
      try (UdpSocket opened =
          UdpSocket.open(own.application().io(), new InetSocketAddress(own.address(), 0))) {
        socket = opened;
        var _ = daemon("hello", this::greet);
        var buffer = ByteBuffer.allocate(LARGEST);
        while (true) {
          learn(receive(opened, buffer, address -> {}));
        }
      }
    }

    private void greet() throws IOException {
      while (socket != null) {
        say(0, new byte[0]);
        WaitForTime.on(scheduler).sleep(HELLO);
      }
    }

    private void say(int kind, byte[] command) throws IOException {
      UdpSocket open = socket;
      if (open == null || sending) {
        return; // the network is slow: it is lost
      }
      sending = true;
      try {
        open.send(
            written(out -> {
              out.writeByte(kind);
              out.writeUTF(self.name());
              out.writeUTF(self.id());
              out.writeInt(applied);
              out.write(command);
            }),
            new InetSocketAddress(host.address(), PORT));
      } catch (ChannelClosedException e) {
        // The member has left meanwhile: what it says is lost.
      } finally {
        sending = false;
      }
    }

    private void learn(DataInputStream in) throws IOException {
      long number = in.readLong();
      var members = new ArrayList<Member>();
      for (int left = in.readInt(); left > 0; left--) {
        members.add(new Member(in.readUTF(), in.readUTF()));
      }
      if (number > seen && members.contains(self)) {
        seen = number;
        view = members;
        listener.membersChanged();
        listener.leaderChanged(members.getFirst().equals(self));
      }
      int had = applied;
      int first = in.readInt();
      int end = in.readInt();
      for (; first < end && in.available() > 0; first++) {
        byte[] command = in.readNBytes(in.readShort());
        if (first == applied) {
          applied++;
          machine.apply(command);
        }
      }
      if (had < applied && applied < end) {
        say(0, new byte[0]); // not for a doubled answer: each would make more of them
      }
    }

    @Override
    public void leave() {
      var _ = scheduler.post(() -> daemon("bye", this::end));
    }

    private void end() throws IOException {
      say(BYE, new byte[0]);
      socket = null;
      stay.cancel("the member leaves");
    }

    @Override
    public Member self() {
      return self;
    }

    @Override
    public List<Member> view() {
      return view;
    }

    @Override
    public InetSocketAddress address() {
      return ClusterRig.anyPort();
    }

    @Override
    public void send(Member to, List<Frame> frames) {
      throw new UnsupportedOperationException("this cluster carries no messages");
    }

    @Override
    public void propose(byte[] command) {
      var _ = daemon("propose", () -> say(PROPOSE, command));
    }
  }
}
