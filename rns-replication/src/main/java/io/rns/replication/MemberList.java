package io.rns.replication;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The members of a group, as the databases replicate them: only their acknowledgements and answers count.
 *
 * <p>The primary changes the list by commits, one member at a time, so all but one of one list and all but one of the
 * next have the members in common that a change of primary needs; see docs/decisions/members.md.
 *
 * @param epoch in which the list was last written
 * @param version grows with each change within an epoch
 * @param members by address; empty if nothing is known, as in a database of an earlier version
 */
public record MemberList(int epoch, long version, List<Member> members) {
  /** Nothing is known. */
  public static final MemberList NONE = new MemberList(0, 0, List.of());

  private static final Comparator<MemberList> BY_AGE =
      Comparator.comparingInt(MemberList::epoch).thenComparingLong(MemberList::version);

  /** Copies the members, sorted by address. */
  public MemberList {
    members = members.stream().sorted(Comparator.comparing(Member::url)).toList();
  }

  /**
   * A member.
   *
   * @param url its address
   * @param sinceMillis when it was added, in milliseconds since 1970 by the primary's clock
   */
  public record Member(String url, long sinceMillis) {}

  /** The latest of the lists that these members report. */
  public static MemberList latest(Collection<MemberReport> reports) {
    return reports.stream().map(MemberReport::list).max(BY_AGE).orElse(NONE);
  }

  /** Whether there is a list. */
  public boolean exists() {
    return !members.isEmpty();
  }

  /** Whether it was written after another one. */
  public boolean isLater(MemberList other) {
    return BY_AGE.compare(this, other) > 0;
  }

  /** Whether a server is a member. */
  public boolean has(String url) {
    // Asked for each server that a report names.
    for (Member member : members) {
      if (member.url().equals(url)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is known that a server is no member. */
  public boolean excludes(String url) {
    return exists() && !has(url);
  }

  /** Whether it is known that these are not the members. */
  public boolean differsFrom(Collection<String> urls) {
    return exists() && !Set.copyOf(urls).equals(new HashSet<>(urls()));
  }

  /** The addresses. */
  public List<String> urls() {
    return members.stream().map(Member::url).toList();
  }

  /** The addresses with one more. */
  public List<String> with(String url) {
    return Stream.concat(urls().stream(), Stream.of(url)).distinct().toList();
  }

  /** The addresses without one. */
  public List<String> without(String url) {
    return urls().stream().filter(other -> !other.equals(url)).toList();
  }

  /**
   * The list that follows this one.
   *
   * @param now in which epoch it is written
   * @param urls its members; those of this one have been members since they were added
   * @param nowMillis since when others are
   */
  public MemberList next(int now, Collection<String> urls, long nowMillis) {
    Map<String, Long> since = members.stream().collect(Collectors.toMap(Member::url, Member::sinceMillis));
    return new MemberList(
        now, version + 1, urls.stream().map(url -> new Member(url, since.getOrDefault(url, nowMillis))).toList());
  }
}
