package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Command.InSession;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Snapshot.Session;
import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Mistakes that implementations of Raft are known for. Each is a subclass that does one thing
/// wrong.
enum Flaw {
  NONE,

  /// After a restart a replica votes again in a term in which it has voted.
  VOTE_NOT_PERSISTED {
    @Override
    Storage storage(Path folder) throws IOException {
      return new Storage(folder) {
        @Override
        void vote(long term, int candidate) {
          setVote(term, candidate);
        }
      };
    }
  },

  /// A follower acknowledges entries that a power failure takes away.
  LOG_NOT_FORCED {
    @Override
    Storage storage(Path folder) throws IOException {
      return new Storage(folder) {
        @Override
        void force() {
          if (leadsOrMay()) {
            super.force();
          }
        }

        private boolean leadsOrMay() {
          return votedFor() == Integer.parseInt(folder.getFileName().toString());
        }
      };
    }
  },

  /// An entry of an earlier term counts as committed when a majority has it (the paper's figure 8).
  OLD_TERM_COMMITTED {
    @Override
    Raft raft(
        Scheduler scheduler,
        int self,
        Members members,
        Settings settings,
        Storage storage,
        Store store) {
      return new Raft(scheduler, self, members, settings, storage, store) {
        @Override
        boolean isCommitted(Position position) {
          return true;
        }
      };
    }
  },

  /// A command that a client has sent again is applied again.
  DUPLICATE_APPLIED {
    @Override
    Store store(Consumer<Entry> applied) {
      return new WatchedStore(applied) {
        @Override
        boolean isDuplicate(InSession command, Session session) {
          return false;
        }
      };
    }
  };

  Storage storage(Path folder) throws IOException {
    return new Storage(folder);
  }

  Raft raft(
      Scheduler scheduler,
      int self,
      Members members,
      Settings settings,
      Storage storage,
      Store store) {
    return new Raft(scheduler, self, members, settings, storage, store);
  }

  /// @param applied receives every entry that the store applies
  Store store(Consumer<Entry> applied) {
    return new WatchedStore(applied);
  }

  private static class WatchedStore extends Store {
    private final Consumer<Entry> applied;

    WatchedStore(Consumer<Entry> applied) {
      this.applied = applied;
    }

    @Override
    Answer apply(Entry entry) {
      applied.accept(entry);
      return super.apply(entry);
    }
  }
}
