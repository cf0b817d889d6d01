package io.rns.loadtest.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@link Promise#ONE_PRIMARY}: by the numbers and epochs that writes were acknowledged with, and by who says so. */
final class OnePrimary implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    Map<String, String> found = new LinkedHashMap<>(); // request, or server and epoch -> what; each is reported once
    List<Write> acknowledged =
        history.writes().stream()
            .filter(Write::isAcknowledged)
            .sorted(Comparator.comparingLong(Write::sequence).thenComparingInt(OnePrimary::epoch))
            .toList();
    sameNumber(acknowledged, found);
    epochsGoBack(acknowledged, found);
    deposed(acknowledged, found);
    twoServers(history, acknowledged, found);
    return found.values().stream().map(what -> new Violation(Promise.ONE_PRIMARY, what)).toList();
  }

  private static int epoch(Write write) {
    return write.acknowledged().orElseThrow().epoch();
  }

  private static String said(Write write) {
    return write + " acknowledged at " + write.acknowledged().orElseThrow();
  }

  private static void sameNumber(List<Write> acknowledged, Map<String, String> found) {
    Map<Long, Write> first = new HashMap<>();
    for (Write write : acknowledged) {
      Write other = first.putIfAbsent(write.sequence(), write);
      if (other != null && !other.requestId().equals(write.requestId())) {
        found.putIfAbsent(write.requestId(), said(write) + " has the number of " + said(other));
      }
    }
  }

  /** The older epoch's numbers end where the newer one's begin. */
  private static void epochsGoBack(List<Write> acknowledged, Map<String, String> found) {
    Write newest = null;
    for (Write write : acknowledged) {
      if (newest != null && epoch(write) < epoch(newest)) {
        found.putIfAbsent(write.requestId(), said(write) + " stands behind " + said(newest));
      }
      newest = newest == null || epoch(write) >= epoch(newest) ? write : newest;
    }
  }

  /** Nobody takes a new write in an epoch when a newer one has acknowledged; to repeat an answer of then is right. */
  private static void deposed(List<Write> acknowledged, Map<String, String> found) {
    Map<Integer, Write> earliest = new HashMap<>();
    for (Write write : acknowledged) {
      earliest.merge(epoch(write), write, (a, b) -> a.answered() <= b.answered() ? a : b);
    }
    for (Write write : acknowledged) {
      if (!write.repetition()) {
        earliest.values().stream()
            .filter(other -> epoch(other) > epoch(write) && other.answered() < write.invoked())
            .findFirst()
            .ifPresent(other -> found.putIfAbsent(write.requestId(), said(write) + ", begun after " + said(other)));
      }
    }
  }

  private static void twoServers(History history, List<Write> acknowledged, Map<String, String> found) {
    List<Claim> claims = new ArrayList<>(history.claims());
    for (Write write : acknowledged) {
      if (!write.repetition() && write.directly().isPresent()) {
        claims.add(new Claim(write.directly().get(), epoch(write), write.answered()));
      }
    }
    Map<Integer, Claim> first = new HashMap<>();
    for (Claim claim : claims) {
      Claim other = first.putIfAbsent(claim.epoch(), claim);
      if (other != null && !other.server().equals(claim.server())) {
        found.putIfAbsent(
            claim.server() + " " + claim.epoch(),
            "in epoch " + claim.epoch() + " both " + other.server() + " (" + Moment.at(other.at()) + ") and "
                + claim.server()
                + " (" + Moment.at(claim.at()) + ") were the primary");
      }
    }
  }
}
