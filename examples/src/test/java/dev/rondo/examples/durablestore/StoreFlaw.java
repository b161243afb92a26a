package dev.rondo.examples.durablestore;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Mistakes in a store with a log and snapshots. Each is a subclass that does one thing wrong.
enum StoreFlaw {
  NONE,

  /// A value is acknowledged before it is on the disk.
  ANSWERS_BEFORE_FORCE {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        void forceLog(FileChannel file) {}
      };
    }
  },

  /// What is left of a record counts as a record if it is as long.
  NO_CHECKSUM {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        boolean isWhole(byte[] record, int checksum) {
          return true;
        }
      };
    }
  },

  /// The log goes on behind what is left of the last record.
  TORN_END_KEPT {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        void beginAgain() throws IOException {
          if (Files.exists(log())) {
            goOn(FileChannel.open(log(), StandardOpenOption.WRITE, StandardOpenOption.APPEND));
          } else {
            super.beginAgain();
          }
        }
      };
    }
  },

  /// The old log is deleted before the disk has the new snapshot.
  LOG_DELETED_FIRST {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        void replace(Path draft) throws IOException {
          deleteOldLogs();
          super.replace(draft);
        }
      };
    }
  },

  /// The old snapshot is deleted before the new one has its name.
  NOT_ATOMIC {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        void rename(Path from, Path to) throws IOException {
          Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
      };
    }
  },

  /// New names are not forced to the disk.
  NAMES_NOT_FORCED {
    @Override
    DurableStore store(Path folder) {
      return new DurableStore(folder) {
        @Override
        void forceNames(Path of) {}
      };
    }
  };

  /// {@return a store of a folder with this mistake, which is not opened yet}
  DurableStore store(Path folder) {
    return new DurableStore(folder);
  }
}
