package io.rns.client.watch;

import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.http.BackgroundReader;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The changes at and below a path as they are committed: in order, without a gap and none twice, also when the
 * connection breaks, the server restarts, or another one of its group goes on in between.
 *
 * <p>A thread of its own reads ahead a little; a consumer that is slow makes the server wait, and if it is cut off for
 * that it reconnects automatically. For one consumer.
 */
public final class ChangeStream implements AutoCloseable {
  private static final int READ_AHEAD = 1_024;

  /** The server sends its position every three seconds: after this time without one the connection counts as broken. */
  private static final Duration SILENCE = Duration.ofSeconds(12);

  /** How long a server may take to reach a position reported by another of its group. */
  private static final Duration LAG = Duration.ofSeconds(30);

  private static final int REDIRECT = 307;
  private static final int MOST_REDIRECTS = 3;

  /** As many directories as a server group can assign. */
  private static final int MOST_CUTS = 1_024;

  private static final int MOST_ERROR_BYTES = 65_536;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  private final List<URI> servers;
  private final RnsPath path;
  private final Duration patience;
  private final HttpCalls http;
  private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(READ_AHEAD);
  private final BackgroundReader reader = new BackgroundReader("rns-watch", SILENCE, this::run);

  private final Set<RnsPath> cuts = new ConcurrentSkipListSet<>();

  /** What the reader has got to; it alone changes it. */
  private @Nullable Position reached;

  /** How many events it has got; it alone changes it. */
  private long events;

  /** When it got the last event; it alone changes it. */
  private long eventAt;

  /** The server that it asks; it alone changes it. */
  private volatile URI server;

  private @Nullable Position known;
  private @Nullable RnsException failure;

  /** What the reader hands over: a change, a position without one, or what ends the stream. */
  private record Item(@Nullable Change change, @Nullable Position position, @Nullable RnsException failure) {}

  private ChangeStream(Builder settings) {
    this.servers = settings.servers;
    this.server = servers.get(0);
    this.path = settings.path;
    this.patience = settings.patience;
    this.reached = settings.from;
    this.http =
        new HttpCalls(patience, settings.trust,
            address -> settings.credentials.authorization(address, Optional.empty()));
  }

  /**
   * A stream of the changes of a server that is not opened yet.
   *
   * @param server the server's address, such as {@code http://host:8080/rns}
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not an absolute http or https address
   */
  public static Builder of(URI server) {
    return of(List.of(server));
  }

  /**
   * A stream of the changes of a server group that is not opened yet.
   *
   * @param servers addresses of its servers; the first is asked first, the next one when a connection ends
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if there are none, or one is not an absolute http or https
   *         address
   */
  public static Builder of(List<URI> servers) {
    return new Builder(servers);
  }

  /** What to watch, and from where. Not thread-safe. */
  public static final class Builder {
    private final List<URI> servers;
    private RnsPath path = RnsPath.ROOT;
    private @Nullable Position from;
    private Duration patience = Duration.ofSeconds(5);
    private TlsTrust trust = TlsTrust.SYSTEM;
    private CredentialSource credentials = CredentialSource.NONE;

    private Builder(List<URI> servers) {
      if (servers.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "no server to watch");
      }
      servers.forEach(RnsClient::soapEndpoint); // checks them
      this.servers = servers.stream().map(server -> URI.create(server.toString().replaceFirst("/+$", ""))).toList();
    }

    /** Only what concerns this path: there, below, or done to a directory above; all unless set. */
    public Builder path(RnsPath watched) {
      path = watched;
      return this;
    }

    /** The last change that is known; unless set, only changes from now on are delivered. */
    public Builder from(Position known) {
      from = known;
      return this;
    }

    /** Who watches; {@link CredentialSource#NONE} unless set. */
    public Builder credentials(CredentialSource source) {
      credentials = source;
      return this;
    }

    /** The most time to connect to a server, and once more to its first answer; 5 s unless set. */
    public Builder patience(Duration most) {
      patience = most;
      return this;
    }

    /** The certificates accepted from HTTPS servers; those of the Java installation unless set. */
    public Builder trust(TlsTrust accepted) {
      trust = accepted;
      return this;
    }

    /**
     * Begins to watch.
     *
     * @throws RnsException {@link RnsError#INVALID_CURSOR} if changes behind the position are no longer kept, or its
     *         change was lost in a change of the primary, {@link RnsError#INVALID_REQUEST} if the server refuses the
     *         request, or there are credentials and servers of both https and http, {@link RnsError#UNAVAILABLE} if it
     *         does not answer
     */
    public ChangeStream open() {
      if (!credentials.equals(CredentialSource.NONE)) {
        SecureAddress.requireAlike(servers);
      }
      ChangeStream stream = new ChangeStream(this);
      try {
        stream.begin();
        return stream;
      } catch (RnsException e) {
        stream.close();
        throw e;
      }
    }
  }

  private void begin() {
    reader.start();
    Duration most = patience.multipliedBy(2L * servers.size());
    try {
      Item first = items.poll(most.toMillis(), TimeUnit.MILLISECONDS);
      if (first == null) {
        throw new RnsException(RnsError.UNAVAILABLE,
            server + " does not answer a watch within " + most.toMillis() + " ms");
      }
      take(first);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while waiting for " + server, e);
    }
  }

  /** The last change that is known, whether it concerned the path or not: where another stream may go on. */
  public Position position() {
    Position position = known;
    if (position == null) {
      throw new IllegalStateException("nothing has been received");
    }
    return position;
  }

  /**
   * Directories below the path whose content another server group owns, as far as the server has reported: their own
   * entries are watched, what is below them is not. Watch them too, each by a stream of its own.
   */
  public List<RnsPath> cuts() {
    return List.copyOf(cuts);
  }

  /**
   * The next change.
   *
   * @param most how long to wait for one
   * @return empty if none came in time, also while the server is away
   * @throws RnsException {@link RnsError#INVALID_CURSOR} if the connection was broken for so long that changes are no
   *         longer kept, or a change of the primary has lost changes: then start over, and read the tree
   * @throws InterruptedException if the thread was interrupted
   * @throws IllegalStateException if the stream has been closed
   */
  public Optional<Change> next(Duration most) throws InterruptedException {
    if (failure != null) {
      throw failure;
    }
    if (reader.isClosed()) {
      throw new IllegalStateException("the stream of " + path + " is closed");
    }
    long until = System.nanoTime() + most.toNanos();
    while (true) {
      long left = Math.min(until - System.nanoTime(), SILENCE.toNanos() / 4);
      Item item = items.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
      if (item != null) {
        take(item);
        if (item.change() != null) {
          return Optional.of(item.change());
        }
      } else {
        reader.breakSilence();
      }
      if (item == null && System.nanoTime() - until >= 0) {
        return Optional.empty();
      }
    }
  }

  private void take(Item item) {
    if (item.failure() != null) {
      failure = item.failure();
      throw failure;
    }
    known = item.position();
  }

  // ---- the reader's thread

  private void run() throws InterruptedException {
    try {
      read();
    } catch (RnsException e) {
      items.put(new Item(null, null, e));
    }
  }

  private void read() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    int failed = 0;
    for (int turn = 0; !reader.isClosed(); turn++) {
      server = servers.get(Math.floorMod(turn, servers.size()));
      long before = events;
      try {
        connect();
      } catch (IOException e) {
        if (events == 0 && failed + 1 >= servers.size()) {
          // Nobody has ever answered: that is for the caller to know. Who has may come back.
          throw new RnsException(RnsError.UNAVAILABLE, "cannot watch " + server + ": " + reason(e), e);
        }
      } catch (RnsException e) {
        if (!isOfThisServer(e, failed + 1)) {
          throw e;
        }
      }
      failed = events > before ? 0 : failed + 1;
      pause = failed == 0 ? FIRST_PAUSE : failed < servers.size() ? pause : longer(pause);
      if (reader.pause(ThreadLocalRandom.current().nextLong(1, pause.toMillis() + 1))) {
        return;
      }
    }
  }

  /**
   * Whether a refusal is to be expected of one server while another answers: one that lags, or is no part of the group.
   */
  private boolean isOfThisServer(RnsException e, int failed) {
    boolean catchesUp =
        e.error() == RnsError.INVALID_REQUEST && events > 0 && System.nanoTime() - eventAt < LAG.toNanos();
    return catchesUp || (e.error() != RnsError.INVALID_CURSOR && failed < servers.size());
  }

  private static String reason(IOException error) {
    String message = error.getMessage();
    return message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }

  /** One connection, from its beginning to its end. */
  private void connect() throws IOException, InterruptedException {
    String query =
        "/watch?path=" + encoded(path.toString()) + (reached == null ? "" : "&from=" + encoded(reached.toString()));
    URI address = URI.create(server + query);
    reader.heard();
    HttpCalls.Reply<InputStream> response = http.stream(call(address));
    for (int redirects = 0; response.status() == REDIRECT && redirects < MOST_REDIRECTS; redirects++) {
      // The path belongs to another server group.
      response.body().close();
      response = http.stream(call(location(response)));
    }
    try (InputStream stream = response.body()) {
      if (response.status() != 200) {
        throw refusal(response.status(), stream);
      }
      reader.reads(stream);
      if (reader.isClosed()) {
        return;
      }
      EventReader reading = new EventReader(stream);
      for (Optional<EventReader.Event> event = reading.next(); event.isPresent(); event = reading.next()) {
        reader.heard();
        take(event.get());
        eventAt = System.nanoTime();
        events++;
      }
    } finally {
      reader.reads(null);
    }
  }

  private HttpCalls.Call call(URI address) {
    return new HttpCalls.Call("GET", address, Map.of("Accept", "text/event-stream"), HttpCalls.Body.NONE, patience);
  }

  private URI location(HttpCalls.Reply<InputStream> response) throws IOException {
    String location = response.header("Location").orElse("");
    try {
      URI address = URI.create(location);
      if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
        if (!SecureAddress.isFollowed(server, address)) {
          throw new IOException(server + " redirects to " + address + ", which is not HTTPS");
        }
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(server + " redirects to '" + location + "'", e);
    }
    throw new IOException(server + " redirects to '" + location + "'");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private void take(EventReader.Event event) throws IOException, InterruptedException {
    if (event.name().equals("error")) {
      throw ended(event.field("code"), event.field("message"));
    }
    if (event.name().equals("cut")) {
      if (cuts.size() < MOST_CUTS) {
        cuts.add(RnsPath.parse(event.field("path")));
      }
      return;
    }
    Position position = Position.parse(event.field("position"));
    if (reached != null && position.group() != reached.group()) {
      throw new IOException(server + " is of another group: it is at " + position + ", the stream at " + reached);
    }
    // A place in one log, which has no gaps: the server has compared the epoch.
    boolean isNew = reached == null || position.sequence() > reached.sequence();
    if (event.name().equals("position")) {
      // Also at the same place: with the epoch of the change there, which later epochs do not make doubtful.
      reached = isNew || position.sequence() == reached.sequence() ? position : reached;
      items.put(new Item(null, reached, null));
      return;
    }
    Optional<Change> change = isNew ? event.change(position) : Optional.empty();
    if (change.isPresent()) {
      items.put(new Item(change.get(), position, null));
      reached = position;
    }
  }

  /** What an answer without events means: an exception that ends the stream, or one that ends the connection only. */
  private RnsException refusal(int status, InputStream answer) throws IOException {
    if (status == 400 || status == 401 || status == 403 || status == 410) {
      Map<String, String> error =
          EventReader.fields(new String(answer.readNBytes(MOST_ERROR_BYTES), StandardCharsets.UTF_8));
      return new RnsException(
          switch (status) {
            case 401 -> RnsError.NOT_AUTHENTICATED;
            case 403 -> RnsError.NOT_PERMITTED;
            case 410 -> RnsError.INVALID_CURSOR;
            default -> RnsError.INVALID_REQUEST;
          },
          error.getOrDefault("message", "HTTP " + status));
    }
    if (status >= 500 || events > 0) {
      // Starting, overloaded, or not deployed yet after a restart.
      throw new IOException("HTTP " + status);
    }
    return new RnsException(RnsError.UNAVAILABLE,
        server + " responds to a watch with HTTP " + status + ": is this an RNS server, and has it started?");
  }

  /** What an error event means: an exception that ends the stream, or one that ends the connection only. */
  private static RnsException ended(String code, String message) throws IOException {
    if (code.equals(RnsError.INVALID_CURSOR.name()) || code.equals(RnsError.INVALID_REQUEST.name())) {
      return new RnsException(RnsError.valueOf(code), message);
    }
    throw new IOException(message);
  }

  /** Ends the stream and its thread. */
  @Override
  public void close() {
    reader.close();
    http.close();
  }
}
