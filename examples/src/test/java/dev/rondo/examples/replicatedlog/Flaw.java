package dev.rondo.examples.replicatedlog;

import dev.rondo.examples.replicatedlog.Command.InSession;
import dev.rondo.examples.replicatedlog.Message.Answer;
import dev.rondo.examples.replicatedlog.Message.PeerReply;
import dev.rondo.examples.replicatedlog.Message.PeerRequest;
import dev.rondo.examples.replicatedlog.Snapshot.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Mistakes that implementations of Raft are known for. Each is a subclass that does one thing
/// wrong.
enum Flaw {
  NONE,

  // Elections.

  /// After a restart a replica votes again in a term in which it has voted.
  VOTE_NOT_PERSISTED {
    @Override
    Storage storage(Path folder) throws IOException {
      return new SmallStorage(folder) {
        @Override
        void vote(long term, int candidate) {
          setVote(term, candidate);
        }
      };
    }
  },

  /// A newer term is on the disk only if the replica has voted in it: after a restart it follows a
  /// leader that others have replaced.
  TERM_NOT_PERSISTED {
    @Override
    Storage storage(Path folder) throws IOException {
      return new SmallStorage(folder) {
        @Override
        void vote(long term, int candidate) {
          if (candidate == Members.NONE) {
            setVote(term, candidate);
          } else {
            super.vote(term, candidate);
          }
        }
      };
    }
  },

  /// A replica votes for each candidate of a term.
  VOTES_TWICE {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean mayVoteFor(int candidate) {
          return true;
        }
      };
    }
  },

  /// A candidate needs no log that is up to date.
  ANY_LOG_LEADS {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean isUpToDate(Position last) {
          return true;
        }
      };
    }
  },

  /// The longer log counts as up to date, whatever its last term.
  LONGER_LOG_LEADS {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean isUpToDate(Position last) {
          return last.index() >= storage().log().last().index();
        }
      };
    }
  },

  /// An answer to what a replica has asked in an earlier role counts in the present one.
  LATE_ANSWER_COUNTS {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean isPresent(Role asked) {
          return true;
        }
      };
    }
  },

  /// A leader goes on when a peer answers with a newer term.
  NEWER_TERM_IGNORED {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        void received(Role asked, int peer, PeerRequest request, PeerReply reply) {
          if (asked instanceof Leadership && asked == role()) {
            asked.received(peer, request, reply);
          } else {
            super.received(asked, peer, request, reply);
          }
        }
      };
    }
  },

  // The log.

  /// A follower acknowledges entries that a power failure takes away.
  LOG_NOT_FORCED {
    @Override
    Storage storage(Path folder) throws IOException {
      return new SmallStorage(folder) {
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

  /// An entry of another leader at the same index counts as the same entry.
  CONFLICT_KEPT {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        List<Entry> missing(List<Entry> entries) {
          long last = storage().log().last().index();
          return entries.stream().filter(entry -> entry.index() > last).toList();
        }
      };
    }
  },

  /// A request that comes late takes away the entries behind its own, which are the same.
  AGREED_REMOVED {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        List<Entry> missing(List<Entry> entries) {
          return entries.stream().filter(entry -> entry.index() > commit()).toList();
        }
      };
    }
  },

  // Commits.

  /// An entry of an earlier term counts as committed when a majority has it (the paper's figure 8).
  OLD_TERM_COMMITTED {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean isCommitted(Position position) {
          return true;
        }
      };
    }
  },

  /// The leader alone is enough to commit.
  MINORITY_COMMITS {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        int quorum() {
          return members().majority() - 1;
        }
      };
    }
  },

  /// A follower commits all that it has up to the leader's commit, also what the leader may not
  /// have.
  UNKNOWN_COMMITTED {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        long known(long agreed) {
          return storage().log().last().index();
        }
      };
    }
  },

  // Reads.

  /// A leader reads without asking whether it is one.
  READ_UNCONFIRMED {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean mayRead(long round, long confirmed) {
          return true;
        }
      };
    }
  },

  /// A leader reads without asking if a majority has answered a short time ago, whenever it was
  /// asked.
  READ_WITH_LEASE {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean mayRead(long round, long confirmed) {
          return super.mayRead(round, confirmed)
              || patientUntil(settings().election()).minus(now()).isPositive();
        }
      };
    }
  },

  /// A new leader reads before it knows what was committed.
  READ_TOO_SOON {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        long readableFrom(long start) {
          return commit();
        }
      };
    }
  },

  // Clients and snapshots.

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
  },

  /// A snapshot does not say which commands of the clients it has.
  SNAPSHOT_WITHOUT_SEQUENCE {
    @Override
    Store store(Consumer<Entry> applied) {
      return new WatchedStore(applied) {
        @Override
        Snapshot snapshot() {
          Snapshot whole = super.snapshot();
          var sessions = new TreeMap<Long, Session>();
          whole.sessions().forEach((id, each) -> sessions.put(id, new Session(0, each.applied())));
          return new Snapshot(whole.last(), whole.values(), sessions);
        }
      };
    }
  },

  /// The term of the last entry in a snapshot of the leader is forgotten, so other logs seem to be
  /// ahead.
  SNAPSHOT_WITHOUT_TERM {
    @Override
    Storage storage(Path folder) throws IOException {
      return new SmallStorage(folder) {
        @Override
        void install(Snapshot received) {
          super.install(
              new Snapshot(
                  new Position(received.last().index(), 0),
                  received.values(),
                  received.sessions()));
        }
      };
    }
  },

  /// A snapshot that comes late replaces a newer state.
  OLD_SNAPSHOT_TAKEN {
    @Override
    Raft raft(Raft.Parts parts) {
      return new Raft(parts) {
        @Override
        boolean isNews(Snapshot snapshot) {
          return true;
        }
      };
    }
  };

  Storage storage(Path folder) throws IOException {
    return new SmallStorage(folder);
  }

  Raft raft(Raft.Parts parts) {
    return new Raft(parts);
  }

  /// @param applied receives every entry that the store applies
  Store store(Consumer<Entry> applied) {
    return new WatchedStore(applied);
  }

  /// Keeps few entries, so that followers that are behind need snapshots.
  private static class SmallStorage extends Storage {

    private static final int KEPT = 2;

    SmallStorage(Path folder) throws IOException {
      super(folder);
    }

    @Override
    int keptEntries() {
      return KEPT;
    }
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
