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
 * <p>The primary changes the list by commits, one member at a time, so the quorums of one list and of the next have the
 * members in common that a change of primary needs; see docs/decisions/members.md.
 *
 * @param epoch in which the list was last written
 * @param version grows with each change within an epoch
 * @param members by address; empty if nothing is known, as in a database of an earlier version
 * @param acknowledgements of how many replicas a commit waits for once the list is in force: a change without the
 *        primary may lack as many members, the primary included
 */
public record MemberList(int epoch, long version, List<Member> members, int acknowledgements) {
  /** Nothing is known. */
  public static final MemberList NONE = new MemberList(0, 0, List.of(), 1);

  private static final Comparator<MemberList> BY_AGE =
      Comparator.comparingInt(MemberList::epoch).thenComparingLong(MemberList::version);

  /** Copies the members, sorted by address. Earlier versions name no acknowledgements, and wait for one. */
  public MemberList {
    acknowledgements = Math.max(1, acknowledgements);
    members = members.stream().sorted(Comparator.comparing(Member::url)).toList();
  }

  /**
   * A member.
   *
   * @param url its address
   * @param sinceMillis when it was added, in milliseconds since 1970 by the primary's clock
   */
  public record Member(String url, long sinceMillis) {}

  /**
   * Of how many replicas the commits of a group wait: as many as it may lose and still have a majority, if its
   * databases can count so many.
   *
   * @param members how many members it has
   * @param most the most that its databases can wait for
   */
  public static int acknowledgements(int members, int most) {
    return Math.clamp((members - 1) / 2, 1, most);
  }

  /**
   * Of how many replicas the commit waits that begins an epoch: also of as many as the list before this one may have
   * asked for. After a crash a database may show a list that nobody has acknowledged.
   *
   * @param size the number of members from now on, if that is another one
   * @param most the most that the database can wait for
   */
  public int acknowledgementsToBegin(int size, int most) {
    return Math.max(acknowledgements, acknowledgements(Math.max(size, members.size()) + 1, most));
  }

  /**
   * Of how many replicas the commit waits that begins an epoch with the list that was in force: also of as many as the
   * list will ask for when it is written again, which is more if an earlier version wrote it.
   *
   * @param most the most that the database can wait for
   */
  public int acknowledgementsAgain(int most) {
    return Math.max(acknowledgements, acknowledgements(members.size(), most));
  }

  /** The latest of the lists that these members report. */
  public static MemberList latest(Collection<MemberReport> reports) {
    return reports.stream().map(MemberReport::list).max(BY_AGE).orElse(NONE);
  }

  /** Which list it is: no two have the same. */
  public String id() {
    return epoch + "." + version;
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
   * @param most the most replicas that the databases can wait for
   */
  public MemberList next(int now, Collection<String> urls, long nowMillis, int most) {
    Map<String, Long> since = members.stream().collect(Collectors.toMap(Member::url, Member::sinceMillis));
    return new MemberList(
        now, version + 1, urls.stream().map(url -> new Member(url, since.getOrDefault(url, nowMillis))).toList(),
        acknowledgements(urls.size(), most));
  }
}
