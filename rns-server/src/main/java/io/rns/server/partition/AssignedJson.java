package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import org.jspecify.annotations.Nullable;

/**
 * What has come of an assignment.
 *
 * @param epoch the number of the change by which the directory's entry names the owner; 0 while content moves
 * @param move of a directory with content
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AssignedJson(RnsPath path, EntryId directory, int group, long epoch, @Nullable ProgressJson move) {
  /** Whether the group serves the directory. */
  boolean served() {
    return epoch > 0;
  }

  /** Whether the content was moving to another group, and stays. */
  boolean isCancelled() {
    return move != null && move.isOver() && move.phase().equals(ProgressJson.CANCELLED);
  }

  /**
   * How far the content has moved.
   *
   * @param phase what is being done
   * @param copied entries
   * @param waitedMillis how long writes to the content waited; absent until it has moved
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ProgressJson(String phase, long copied, @Nullable Long waitedMillis) {
    /** The phase of a move that was ended by an assignment to the group that has the content. */
    static final String CANCELLED = "cancelled";
    /** There was no move to be ended. */
    static final ProgressJson NONE = new ProgressJson("none", 0, 0L);

    boolean isOver() {
      return waitedMillis != null;
    }
  }
}
