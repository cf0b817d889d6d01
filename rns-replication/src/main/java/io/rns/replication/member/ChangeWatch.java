package io.rns.replication.member;

import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a change of the primary has been under way. One thread listens. */
final class ChangeWatch {
  /** The latest term in which a primary was seen. What members have promised or accepted beyond is under way. */
  private int lastLed;

  private @Nullable Long sinceNanos;

  /**
   * Listens once more.
   *
   * @param reports of all members that answer, this one included
   * @param ended the last term that this member proposed and that came to nothing; 0 if none
   * @param nowNanos this moment
   * @return how long a member has known of a term in which nobody was seen to lead; zero if none does
   */
  Duration listen(List<MemberReport> reports, int ended, long nowNanos) {
    int known = 0;
    for (MemberReport report : reports) {
      known = Math.max(known, report.allegiance().latest());
      if (report.role() == Role.PRIMARY) {
        lastLed = Math.max(lastLed, report.allegiance().accepted());
      }
    }
    if (known <= Math.max(lastLed, ended)) {
      sinceNanos = null;
      return Duration.ZERO;
    }
    Long since = sinceNanos;
    if (since == null) {
      since = nowNanos;
      sinceNanos = since;
    }
    // Also at the first moment: a change is under way.
    return Duration.ofNanos(nowNanos - since + 1);
  }
}
