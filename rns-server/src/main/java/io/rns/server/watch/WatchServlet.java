package io.rns.server.watch;

import io.rns.access.AccessLine;
import io.rns.api.Answer;
import io.rns.api.Caller;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import io.rns.referral.Announcement;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.access.AccessLog;
import io.rns.server.audit.RequestAudit;
import io.rns.server.http.Callers;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestUrl;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.Traffic;
import io.rns.server.namespace.ChangeFeed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accepts watchers. Each has a virtual thread, a connection and a position, and nothing else. */
public final class WatchServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<@Nullable ChangeFeed> feed;
  private final transient Supplier<PartitionTable> partitions;
  private final transient Supplier<@Nullable AccessReader> rights;
  private final transient Function<EntryId, Optional<RnsPath>> directories;
  private final transient IntSupplier drains;
  private final transient WatchPlaces places;
  private final transient Traffic traffic;
  private final transient @Nullable AccessLog access;

  /**
   * A servlet for asynchronous use.
   *
   * @param feed the changes; null as long as the server does not serve
   * @param partitions what is known of the partitions of the tree; throws {@link RnsError#UNAVAILABLE} if nothing is
   * @param rights what callers may do; null while the server starts
   * @param directories where directories of this server's tree lie now, in its own words
   * @param drains how often this server has begun to drain, which ends the watches it has
   * @param most how many may watch at one time
   * @param access watches are taken down there as they begin; null for nowhere
   * @param traffic bounds slow clients
   */
  public WatchServlet(
      Supplier<@Nullable ChangeFeed> feed, Supplier<PartitionTable> partitions,
      Supplier<@Nullable AccessReader> rights, Function<EntryId, Optional<RnsPath>> directories, IntSupplier drains,
      int most, @Nullable AccessLog access, Traffic traffic) {
    super("GET");
    this.rights = rights;
    this.directories = directories;
    this.drains = drains;
    this.access = access;
    this.feed = feed;
    this.partitions = partitions;
    this.places = new WatchPlaces(most);
    this.traffic = traffic;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ChangeFeed changes = feed.get();
    if (changes == null) {
      refuse(response, new RnsException(RnsError.UNAVAILABLE, "the server is starting"));
      return;
    }
    RnsPath path;
    PartitionTable table;
    int owner;
    Caller caller = Callers.of(request);
    AccessReader reader = rights.get();
    try {
      path = RnsPath.parse(parameter(request, "path", "/"));
      RequestAudit.noteEntry("watch", path.toString(), false);
      check(reader, caller, path, request);
      table = partitions.get();
      owner = WatchScope.of(table, path).group();
      if (owner != table.group()) {
        redirect(request, response, table, owner);
        return;
      }
    } catch (RnsException e) {
      refuse(response, e);
      return;
    }
    Position from;
    try {
      String known = parameter(request, "from", "");
      // A client that reconnects by the rules of server-sent events sends the id of its last event.
      String last = request.getHeader("Last-Event-ID");
      String position = last == null || last.isEmpty() ? known : last;
      from = position.isEmpty() ? changes.last() : Position.parse(position);
      if (table.hasCuts() && from.group() != owner) {
        throw new RnsException(
            RnsError.INVALID_CURSOR,
            "position " + from + " is of another server group than '" + path + "', which belongs to group " + owner
                + ": start over");
      }
      changes.check(from);
    } catch (RnsException e) {
      takeDown(request, path, e.error().name());
      refuse(response, e);
      return;
    }
    String asker = Callers.account(caller, request);
    Optional<RnsException> refusal = places.enter(asker);
    if (refusal.isPresent()) {
      takeDown(request, path, RnsError.BUSY.name());
      refuse(response, refusal.get());
      return;
    }
    takeDown(request, path, AccessLine.OK);
    // It may end in hours.
    RequestAudit.endNow();
    start(request, response, asker,
        new EventStream(
            changes, partitions, path, from, new VisibleChanges(reader, caller, this::place),
            lasting(request)));
  }

  /** A watcher that comes back to a draining server, because it knows no other, stays. */
  private BooleanSupplier lasting(HttpServletRequest request) {
    BooleanSupplier caller = Callers.lasting(request);
    int begun = drains.getAsInt();
    return () -> drains.getAsInt() == begun && caller.getAsBoolean();
  }

  /** Where callers find a directory of this server's tree now. */
  private Optional<RnsPath> place(EntryId directory) {
    return directories.apply(directory).flatMap(inner -> WatchScope.directory(partitions.get(), inner));
  }

  private void check(@Nullable AccessReader reader, Caller caller, RnsPath path, HttpServletRequest request) {
    try {
      if (reader != null) {
        reader.check(caller, Right.READ, path);
      }
    } catch (RnsException e) {
      takeDown(request, path, e.error().name());
      throw e;
    }
  }

  /** Sends a watcher to the group that owns what it watches. */
  private static void redirect(
      HttpServletRequest request, HttpServletResponse response, PartitionTable table, int owner) throws IOException {
    String server =
        table.living(owner).stream().map(Announcement::url).findFirst().orElseThrow(
            () -> new RnsException(RnsError.UNAVAILABLE, "server group " + owner + " does not answer"));
    Answer.Referred<Object> referred = new Answer.Referred<>(server, "the path belongs to server group " + owner);
    String query = request.getQueryString();
    response.setHeader("Location", server + "/watch" + (query == null ? "" : "?" + query));
    JsonReplies.send(response, JsonReplies.refer(response, referred, HttpServletResponse.SC_TEMPORARY_REDIRECT));
  }

  private void takeDown(HttpServletRequest request, RnsPath path, String outcome) {
    if (access != null) {
      access.watched(path, Callers.connection(request), Callers.of(request), outcome);
    }
  }

  /** Numbers for operators. */
  public Map<String, Number> statistics() {
    return Map.of("watchers", places.taken(), "watchesRefusedByShare", places.refused());
  }

  private static String parameter(HttpServletRequest request, String name, String absent) {
    String value = RequestUrl.of(request).get(name);
    if (value == null) {
      return absent;
    }
    Limits.check("parameter '" + name + "'", value.length(), Limits.PATH_BYTES, "characters");
    return value;
  }

  private void start(HttpServletRequest request, HttpServletResponse response, String asker, EventStream stream) {
    try {
      traffic.postpone("watch " + request.getRemoteAddr(), request, response, stream::run, () -> places.leave(asker));
    } catch (IllegalStateException e) {
      places.leave(asker);
      throw e;
    }
  }

  private static void refuse(HttpServletResponse response, RnsException error) throws IOException {
    boolean gone = error.error() == RnsError.INVALID_CURSOR;
    int status = gone ? HttpServletResponse.SC_GONE : JsonReplies.status(error.error());
    JsonReplies.send(response, JsonReplies.refuse(response, error, status));
  }
}
