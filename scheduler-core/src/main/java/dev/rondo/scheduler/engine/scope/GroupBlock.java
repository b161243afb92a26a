package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.engine.Cancellation;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.StackfulTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The one run of a [TaskGroup]'s block, from the group's opening to its close.
///
/// @param <R> the type of the result of the block
final class GroupBlock<R extends @Nullable Object> {

  private final GroupCore<?> group;
  private final Loop loop;
  private @Nullable R returned;
  private boolean hasReturned;

  /// The group's own cancellation, if that has ended the block.
  private @Nullable CancellationException cutShort;

  GroupBlock(GroupCore<?> group) {
    this.group = group;
    this.loop = group.loop;
  }

  /// Runs the block and waits for all children. Until the scope of the group is cancelled, the wait
  /// is within that scope. After that, only the end of the last child ends the wait. A cancellation
  /// or failure that comes for the owner meanwhile is thrown then.
  void run(Callable<? extends R> block) throws Exception {
    StackfulTask<?> owner = group.open();
    Throwable thrown = null;
    try {
      group.scope.<@Nullable Void, Exception>run(
          owner,
          () -> {
            returned = block.call();
            hasReturned = true;
            group.children.awaitAll(owner);
            return null;
          });
    } catch (Throwable e) {
      if (e instanceof CancellationException echo && group.scope.isEchoedBy(echo)) {
        cutShort = echo;
      } else {
        thrown = e;
        group.blockThrew(e);
      }
    }
    Throwable due = null;
    if (!group.children.isMet()) {
      ScopeCore.shield(loop).run(() -> group.children.awaitAll(owner));
      due = cameMeanwhile(owner);
    }
    group.close(thrown, due);
  }

  /// The cancellation of the owner, or the failure of its wait, that has come while the children
  /// cleaned up.
  private @Nullable Throwable cameMeanwhile(StackfulTask<?> owner) {
    TaskCancelled cancelled = Cancellation.dueIfNew(owner, owner.pendingCancel());
    return cancelled != null ? cancelled : group.children.lateFailure();
  }

  @SuppressWarnings("NullAway") // null only if the block returned null
  R result() {
    if (!hasReturned && cutShort != null) {
      throw cutShort;
    }
    return returned;
  }
}
