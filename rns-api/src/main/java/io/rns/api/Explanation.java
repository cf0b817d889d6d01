package io.rns.api;

import io.rns.error.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the way of a request while it is answered: what this side did, and the servers that it asked. In the
 * {@link CallContext} of a request that is to be explained; every other request does without. Bounded: what exceeds
 * {@value Limits#EXPLAINED_HOPS} servers, or as many steps, is left out. Belongs to the thread of the call.
 */
public final class Explanation {
  private final Way way;
  private final int depth;

  /** Of a request whose way begins here. */
  public Explanation() {
    this(new Way(), 0);
  }

  private Explanation(Way way, int depth) {
    this.way = way;
    this.depth = depth;
  }

  private static final class Way {
    private final List<HopStep> steps = new ArrayList<>();
    private final List<Hop> hops = new ArrayList<>();
    private List<Hop> reported = List.of();
  }

  /** The same explanation, for a part of the request whose paths begin at a depth of its own ones. */
  Explanation below(int more) {
    return new Explanation(way, depth + more);
  }

  /** Adds what this side did. */
  public void add(HopStep step) {
    if (way.steps.size() < Limits.EXPLAINED_HOPS) {
      way.steps.add(step);
    }
  }

  /** Takes what a server that is being asked reports, itself first. */
  public void report(List<Hop> hops) {
    way.reported = hops;
  }

  /** Adds a server that has been asked, with what it reported. */
  public void add(Hop.Asked asked) {
    List<Hop> reported = way.reported;
    way.reported = List.of();
    Optional<Hop.Answered> answered = reported.isEmpty() ? Optional.empty() : reported.get(0).answered();
    keep(new Hop(1, Optional.of(asked), answered));
    reported.stream().skip(1).forEach(this::keep);
  }

  private void keep(Hop hop) {
    if (way.hops.size() < Limits.EXPLAINED_HOPS) {
      way.hops.add(hop.deeper(depth));
    }
  }

  /** What this side did. */
  public List<HopStep> steps() {
    return List.copyOf(way.steps);
  }

  /** The servers that were asked, each before those that it asked. */
  public List<Hop> hops() {
    return List.copyOf(way.hops);
  }

  /**
   * What a server reports: itself, then the servers that it asked.
   *
   * @param self the server as the request found it
   * @param position what it has reached now
   * @param micros how long it took
   */
  public List<Hop> of(Hop.Self self, Optional<Position> position, long micros) {
    List<Hop> all = new ArrayList<>();
    all.add(new Hop(1, Optional.empty(), Optional.of(new Hop.Answered(self, position, micros, way.steps))));
    below(way.hops, all);
    return all;
  }

  /**
   * What the client of a front gets: the front, then the servers behind it.
   *
   * @param way what the server reports that the front asked
   */
  public static List<Hop> through(Hop.Answered front, List<Hop> way) {
    List<Hop> all = new ArrayList<>();
    all.add(new Hop(1, Optional.empty(), Optional.of(front)));
    below(way, all);
    return all;
  }

  private static void below(List<Hop> hops, List<Hop> all) {
    hops.stream().limit(Limits.EXPLAINED_HOPS - 1L).map(hop -> hop.below(1)).forEach(all::add);
  }
}
