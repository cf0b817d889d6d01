package io.rns.server.partition;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.namespace.ContentSum;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.operator.ServerCalls;
import io.rns.server.store.EntryBytes;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The primary of the group that takes in a directory's content, as another server reaches it.
 *
 * @param server its address
 */
record RemoteContent(ServerCalls calls, String server, EntryId directory) implements ContentTarget {
  private static final Duration MOST = Duration.ofSeconds(20);

  /** Of all entries: the sum of millions takes seconds. */
  private static final Duration SUM_MOST = Duration.ofMinutes(10);

  /**
   * What the primary answers.
   *
   * @param token of the move that has begun, or the version of the directory
   * @param since as {@link ContentTarget.Receipt#since}
   * @param lagMillis as {@link ContentTarget#lagMillis}
   * @param known entries that it has
   * @param cleared whether what was removed is deleted
   * @param sum of what it has
   */
  record ContentJson(long token, long since, long lagMillis, List<EntryId> known, boolean cleared, ContentSum sum) {
    static final ContentJson DONE = new ContentJson(0, 0, 0, List.of(), false, ContentSum.ZERO);

    static ContentJson of(long token, long since) {
      return new ContentJson(token, since, 0, List.of(), false, ContentSum.ZERO);
    }

    static ContentJson of(Set<EntryId> known) {
      return new ContentJson(0, 0, 0, List.copyOf(known), false, ContentSum.ZERO);
    }
  }

  @Override
  public long version() {
    return ask("version", "", MOST).token();
  }

  @Override
  public Receipt receive(int from, long offered, long at, boolean afresh) {
    ContentJson received =
        ask("receive&from=" + from + "&offered=" + offered + "&at=" + at + "&afresh=" + afresh, "", MOST);
    return new Receipt(received.token(), received.since());
  }

  @Override
  public void insert(long token, List<Entry> entries) {
    ContentJson unused =
        ask("insert&token=" + token, Base64.getEncoder().encodeToString(EntryBytes.write(entries)), MOST);
  }

  @Override
  public void remove(long token, List<EntryId> entries, boolean forever) {
    ContentJson unused = ask("remove&token=" + token + "&forever=" + forever, text(entries), MOST);
  }

  @Override
  public void remember(long token, String answers) {
    ContentJson unused = ask("remember&token=" + token, answers, MOST);
  }

  @Override
  public void abandon(long token) {
    ContentJson unused = ask("abandon&token=" + token, "", MOST);
  }

  @Override
  public long lagMillis() {
    return ask("lag", "", MOST).lagMillis();
  }

  @Override
  public Set<EntryId> has(Collection<EntryId> entries) {
    return Set.copyOf(ask("has", text(entries), MOST).known());
  }

  @Override
  public Set<EntryId> settled(Collection<EntryId> entries) {
    return Set.copyOf(ask("settled", text(entries), MOST).known());
  }

  @Override
  public boolean isCleared() {
    return ask("cleared", "", MOST).cleared();
  }

  @Override
  public ContentSum sum() {
    return ask("sum", "", SUM_MOST).sum();
  }

  @Override
  public void own(long token, Positions given, long version) {
    ContentJson unused = ask("own&token=" + token + "&given=" + given + "&version=" + version, "", MOST);
  }

  private ContentJson ask(String step, String body, Duration most) {
    String path = "/partitions/content?directory=" + directory + "&step=" + step;
    try {
      return calls.ask("POST", server, path, body, most, ContentJson.class);
    } catch (RnsException e) {
      // The primary of this group is another matter.
      throw e.error() == RnsError.NOT_PRIMARY ? new RnsException(RnsError.UNAVAILABLE, e.getMessage(), e) : e;
    }
  }

  private static String text(Collection<EntryId> entries) {
    return entries.stream().map(EntryId::toString).collect(Collectors.joining(" "));
  }

  /**
   * Does what the other methods ask for.
   *
   * @param target of the same directory
   * @param parameters of the request
   */
  static ContentJson answer(ContentTarget target, QueryParameters parameters, String body) {
    return switch (parameters.required("step")) {
      case "version" -> ContentJson.of(target.version(), 0);
      case "receive" -> {
        Receipt receipt = target.receive(
            Integer.parseInt(parameters.required("from")), Long.parseLong(parameters.required("offered")),
            Long.parseLong(parameters.required("at")), Boolean.parseBoolean(parameters.required("afresh")));
        yield ContentJson.of(receipt.token(), receipt.since());
      }
      case "insert" -> {
        target.insert(token(parameters), EntryBytes.read(Base64.getDecoder().decode(body)));
        yield ContentJson.DONE;
      }
      case "remove" -> {
        target.remove(token(parameters), entries(body), Boolean.parseBoolean(parameters.required("forever")));
        yield ContentJson.DONE;
      }
      case "remember" -> {
        target.remember(token(parameters), body);
        yield ContentJson.DONE;
      }
      case "abandon" -> {
        target.abandon(token(parameters));
        yield ContentJson.DONE;
      }
      case "lag" -> new ContentJson(0, 0, target.lagMillis(), List.of(), false, ContentSum.ZERO);
      case "has" -> ContentJson.of(target.has(entries(body)));
      case "settled" -> ContentJson.of(target.settled(entries(body)));
      case "cleared" -> new ContentJson(0, 0, 0, List.of(), target.isCleared(), ContentSum.ZERO);
      case "sum" -> new ContentJson(0, 0, 0, List.of(), false, target.sum());
      case "own" -> {
        target.own(
            token(parameters), Positions.parse(parameters.required("given")),
            Long.parseLong(parameters.required("version")));
        yield ContentJson.DONE;
      }
      default -> throw parameters.unknown("step");
    };
  }

  private static long token(QueryParameters parameters) {
    return Long.parseLong(parameters.required("token"));
  }

  private static List<EntryId> entries(String body) {
    return body.isEmpty() ? List.of() : List.of(body.split(" ")).stream().map(EntryId::parse).toList();
  }
}
