package io.rns.api;

import java.util.List;

/**
 * A step of moving the content of a directory from one server group to another. Only servers make it, at the primary of
 * the group that is concerned; no message has it.
 *
 * @param directory the directory whose content moves
 * @param step what is to be done
 */
public record ContentRequest(EntryId directory, Step step) implements WriteRequest {
  /** What one of the two groups does. */
  public sealed interface Step {}

  /**
   * At the former owner: writes below the directory wait, for a few seconds at most.
   *
   * @param token tells this freeze from others
   */
  public record Freeze(long token) implements Step {}

  /** At the former owner: writes that wait go on. */
  public record Thaw() implements Step {}

  /**
   * At the owner: another group is about to be offered the content, in the words of {@link Receive}.
   *
   * @param after the version of the directory there; here it is greater from now on
   */
  public record Offer(long after) implements Step {}

  /**
   * At the former owner: the content belongs to another group from now on; what is here is deleted in time.
   *
   * @param freeze the token of the freeze that must have lasted until now
   * @param token the version that the directory had at the next owner after {@link Receive}: it has a later one here
   *        then, which tells who of the two gave the content to the other
   * @param epoch in which the content was offered: another primary since may have had it copied anew, so that the next
   *        owner has a later token
   */
  public record Give(int to, long freeze, long token, int epoch) implements Step {}

  /**
   * At the next owner: takes the content in, hidden from callers, who are sent to the former owner meanwhile.
   *
   * @param offered the version of the directory at that owner, after {@link Offer}: an offer from before this group
   *        took in something else is void
   * @param at the number of that owner's change that made the offer: all of the copy is read after it
   * @param afresh whether what an interrupted move from that owner has copied is deleted; otherwise it is kept
   */
  public record Receive(int from, long offered, long at, boolean afresh) implements Step {}

  /**
   * At the next owner: entries of the content, which are not there yet, or in an earlier version in their place.
   *
   * @param token the version that the directory had after {@link Receive}
   */
  public record Insert(long token, List<Entry> entries) implements Step {
    public Insert {
      entries = List.copyOf(entries);
    }
  }

  /**
   * At the next owner: entries of the content that are no longer as they were.
   *
   * @param token as for {@link Insert}
   * @param forever whether they have left the content with all that is below them; otherwise they are inserted anew,
   *        and what is below them stays
   */
  public record Remove(long token, List<EntryId> entries, boolean forever) implements Step {
    public Remove {
      entries = List.copyOf(entries);
    }
  }

  /**
   * At the next owner: answers to requests that concerned the content, so that these are not applied a second time.
   *
   * @param token as for {@link Insert}
   * @param answers as the former owner's database has them, in Base64
   */
  public record Remember(long token, String answers) implements Step {}

  /**
   * At the next owner: serves the content from now on.
   *
   * @param token as for {@link Insert}
   * @param given the position at which the former owner gave it away: who sees the content here must not see it there
   *        as it was before
   * @param version that the directory had at the former owner after {@link Give}: it has a later one here then
   */
  public record Own(long token, Positions given, long version) implements Step {}

  /**
   * At the next owner: the move was cancelled, what it has copied is deleted. Never after {@link Give}.
   *
   * @param token as for {@link Insert}
   */
  public record Abandon(long token) implements Step {}

  /**
   * At a group that gets the directory and has it already among the entries of a copy, of a move of a directory above
   * it that came to nothing: that copy is deleted.
   *
   * @param before the version of the directory where it comes from: a copy that has it like that, or later, is not of
   *        the past, and stays
   */
  public record Forget(long before) implements Step {}

  /**
   * At a group that once owned the content, or has the directory's entry: where the content is now.
   *
   * @param version of the directory here before that was known; if it is another one by now, nothing is done
   */
  public record Point(int to, long version) implements Step {}

  @Override
  public boolean allOrNothing() {
    return true;
  }

  @Override
  public int size() {
    return 1;
  }
}
