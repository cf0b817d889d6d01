package io.rns.client;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.NameService;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpEndpoint;
import io.rns.client.http.HttpEndpoints;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.SoapAddress;
import io.rns.client.http.ClientCertificate;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Site;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link RnsConnection}: a name service that asks one server, or a group of them, over HTTP.
 *
 * <p>What {@link Builder#build} gives is safe for use by many threads, which share its connections; it starts one
 * thread, with the first call, which breaks off what has not ended at its deadline, and holds nothing after {@code
 * close()}. It is stacked, from the outside in:
 *
 * <ol> <li>session: the position of every answer is remembered and sent with the next call, with the consistency and
 * the routing that are set, unless its {@link io.rns.api.CallContext} says otherwise; <li>request ids: a write without
 * one gets a fresh one, which makes it repeatable; <li>repetition: a call that failed for a passing reason is repeated,
 * if it is a read or has a request id, after a random pause, until the attempts or the deadline are used up; of several
 * servers each is asked at once before the first pause, within its share of the time; <li>referrals: what only the
 * primary can answer goes to the server that answered the last such call; a server that refers to another is followed,
 * up to 3 times; <li>servers: a call goes to the server in use, which stays it until it cannot be reached, breaks the
 * connection, answers {@link RnsError#UNAVAILABLE} or not in time; then it is asked last; or, with
 * {@link Selection#NEAREST}, to the best of all servers that these report; <li>dialect: what is spoken
 * ({@link Dialect}); servers without our extensions are asked by the standards only; <li>messages: one SOAP message
 * over a connection that is kept. </ol>
 *
 * <p>{@link RnsConnection#pools} shares the last three and the repetition.
 *
 * <p>Of a server without our extensions, ids, versions and times are derived from its responses, positions are 0-0-0, a
 * write is repeated only if it certainly was not applied, and what RNS 1.1 cannot do in one step is refused with
 * {@link RnsError#UNKNOWN_OPERATION} before anything is done; docs/client.md has the details and the bounds. Several
 * servers are for one group of ours: all of them are to have the same tree.
 *
 * <p>Beside what {@link NameService} says, calls throw {@link RnsException} with {@link RnsError#UNAVAILABLE} if the
 * server cannot be reached, breaks the connection or answers something else than SOAP, {@link RnsError#TIMEOUT} if it
 * does not answer in time, {@link RnsError#BUSY} if no connection gets free in time, and {@link RnsError#NOT_PRIMARY}
 * if no server was the primary up to the deadline. After the first two it is unknown whether a write was applied;
 * asking again with the same request id shows it. A client sends its credential ({@link Builder#credentials}) with
 * every request: the caller of a {@link io.rns.api.CallContext} is not sent.
 */
public final class RnsClient {
  private static final int MOST_SERVERS = 100;
  private static final int ATTEMPTS = 6;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** Shorter, since a failover is to be noticed. */
  private static final Duration LONGEST_PAUSE_OF_SEVERAL = Duration.ofMillis(500);

  private RnsClient() {}

  /** A client with the defaults, for the server at {@code http://127.0.0.1:8080/rns}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The address of the SOAP endpoint of a server.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if {@code server} is not an absolute http or https address
   */
  public static URI soapEndpoint(URI server) {
    return SoapAddress.of(server);
  }

  /** Settings of a client. Not thread-safe. */
  public static final class Builder {
    private List<URI> servers = List.of(URI.create("http://127.0.0.1:8080/rns"));
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Duration requestTimeout = Duration.ofSeconds(15);
    private Duration deadline = Duration.ofSeconds(30);
    private Duration firstPause = Duration.ofMillis(50);
    private Duration closeWait = Duration.ofSeconds(5);
    private @Nullable Integer attempts;
    private int connections = 64;
    private boolean requestIds = true;
    private boolean followReferrals = true;
    private Consistency consistency = Consistency.SESSION;
    private Dialect dialect = Dialect.RNS_1_1;
    private Selection selection = Selection.NAMED;
    private Site site = Site.NONE;
    private LongConsumer answerBytes = bytes -> {};
    private TlsTrust trust = TlsTrust.SYSTEM;
    private @Nullable ClientCertificate certificate;
    private CredentialSource credentials = CredentialSource.NONE;
    private @Nullable MessageAuthentication authentication;
    private @Nullable EndpointReference root;

    private Builder() {}

    /**
     * The server's address, such as {@code http://host:8080/rns}.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not an absolute http or https address
     */
    public Builder server(URI address) {
      return servers(List.of(address));
    }

    /** The same as {@link #servers(List)}. */
    public Builder servers(URI... addresses) {
      return servers(List.of(addresses));
    }

    /**
     * The addresses of servers of one group, 1 to {@value RnsClient#MOST_SERVERS}. The first is asked first; the others
     * when those before fail.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if there are none or too many, or one is not an absolute
     *         http or https address
     */
    public Builder servers(List<URI> addresses) {
      if (addresses.isEmpty() || addresses.size() > MOST_SERVERS) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "the number of servers, " + addresses.size() + ", is not between 1 and " + MOST_SERVERS);
      }
      addresses.forEach(RnsClient::soapEndpoint);
      servers = List.copyOf(addresses);
      return this;
    }

    /**
     * How much of what was written a read sees, if its {@link io.rns.api.CallContext} does not say;
     * {@link Consistency#SESSION} unless set.
     */
    public Builder consistency(Consistency ofReads) {
      consistency = ofReads;
      return this;
    }

    /**
     * Whether the client goes itself to the server that can answer; yes unless set. Otherwise the servers forward,
     * which costs them more, but needs no way from here to all of them.
     */
    public Builder followReferrals(boolean followed) {
      followReferrals = followed;
      return this;
    }

    /** The most time to make a connection; 3 s unless set. */
    public Builder connectTimeout(Duration most) {
      connectTimeout = positive("connect timeout", most);
      return this;
    }

    /** The most time from sending one message until its answer is read; 15 s unless set. */
    public Builder requestTimeout(Duration most) {
      requestTimeout = positive("request timeout", most);
      return this;
    }

    /** The most time of one call, all its attempts and pauses included; 30 s unless set. */
    public Builder deadline(Duration most) {
      deadline = positive("deadline", most);
      return this;
    }

    /**
     * The most attempts of one call, the first included, and those not counted that found no primary; 1 to never
     * repeat. Unless set, 6 with one server, and with several as many as fit into the deadline.
     */
    public Builder attempts(int most) {
      attempts = positive("number of attempts", most);
      return this;
    }

    /**
     * The bound of the first pause, which is random below it; it doubles with every attempt, up to 2 s, or 0.5 s with
     * several servers or while there is no primary; 50 ms unless set.
     */
    public Builder firstPause(Duration bound) {
      firstPause = positive("first pause", bound);
      return this;
    }

    /**
     * The most time that {@code close()} waits for calls under way at each server before it breaks them off; 5 s unless
     * set, zero to break them off at once.
     */
    public Builder closeWait(Duration most) {
      closeWait = most.isZero() ? most : positive("close wait", most);
      return this;
    }

    /** The most connections to each server, and so the most calls under way there; further ones wait; 64 unless set. */
    public Builder connections(int most) {
      connections = positive("number of connections", most);
      return this;
    }

    /** Whether writes without a request id get one; yes unless set. Without an id a write is never repeated. */
    public Builder requestIds(boolean given) {
      requestIds = given;
      return this;
    }

    /** What the client speaks; {@link Dialect#RNS_1_1} unless set. */
    public Builder dialect(Dialect spoken) {
      dialect = spoken;
      return this;
    }

    /**
     * The root directory by its endpoint reference, in place of the address of a server: for servers whose SOAP
     * endpoint is not below that, and for a directory that is to be the root. Asked in {@link Dialect#RNS_1_1_PLAIN} if
     * it has reference parameters, since our extensions count paths from the root of the server.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if its address is not an absolute http or https address
     */
    public Builder root(EndpointReference directory) {
      URI unused = HttpEndpoints.uri(directory.address());
      root = directory;
      return this;
    }

    /**
     * Which server is asked; {@link Selection#NAMED} unless set.
     */
    public Builder selection(Selection chosen) {
      selection = chosen;
      return this;
    }

    /**
     * Where the client is: levels from the widest to the narrowest, as the operators name them, {@code
     * europe/essen/rack-7}; nowhere unless set. Means something with {@link Selection#NEAREST} only.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is no site
     */
    public Builder site(String levels) {
      site = new Site(levels);
      return this;
    }

    /**
     * Receives the number of bytes of each response while it is read, in the thread of the call. An exception breaks
     * off the call: that is how the memory of many calls is bounded.
     */
    public Builder answerBytes(LongConsumer counter) {
      answerBytes = counter;
      return this;
    }

    /**
     * The certificate authorities of HTTPS servers, or their own certificates, in a PEM file; unless set, those of the
     * Java installation. The name in a certificate is always checked.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if the file cannot be read or has no certificate
     */
    public Builder trustedCertificates(Path pem) {
      return trust(TlsTrust.file(pem));
    }

    /** The same as a context of TLS, which may have a certificate of this client, too. */
    public Builder sslContext(SSLContext context) {
      return trust(TlsTrust.of(context));
    }

    /** The same, shared with other clients. */
    public Builder trust(TlsTrust accepted) {
      trust = accepted;
      return this;
    }

    /**
     * The certificate of the client, or a proxy certificate, for HTTPS servers that ask for one: a PEM file with the
     * chain, and one with its unencrypted key, which may be the same. Changed files are used without a new client.
     * Servers prefer {@link #credentials} to it.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if the files cannot be used, or others may read the key
     */
    public Builder clientCertificate(Path chain, Path key) {
      certificate = ClientCertificate.files(chain, key);
      return this;
    }

    /** Who the client is; {@link CredentialSource#NONE} unless set. */
    public Builder credentials(CredentialSource source) {
      credentials = source;
      return this;
    }

    /** The same for servers, which send messages on behalf of the callers of their {@link io.rns.api.CallContext}. */
    public Builder authentication(MessageAuthentication proof) {
      authentication = proof;
      return this;
    }

    private static Duration positive(String what, Duration value) {
      if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, what + " " + value + " is not above zero and up to a day");
      }
      return value;
    }

    private static int positive(String what, int value) {
      if (value < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, what + " " + value + " is below 1");
      }
      return value;
    }

    /**
     * Makes the client; nothing is sent before the first call.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if it has credentials, and servers of both https and http
     * @throws IllegalStateException if it has a {@link #clientCertificate} and an {@link #sslContext}, which has keys
     */
    public RnsConnection build() {
      TlsTrust secured = certificate == null ? trust : trust.presenting(certificate);
      List<URI> endpoints =
          root == null ? servers.stream().map(RnsClient::soapEndpoint).distinct().toList()
              : List.of(HttpEndpoints.uri(root.address()));
      if (!credentials.equals(CredentialSource.NONE)) {
        SecureAddress.requireAlike(endpoints);
      }
      boolean several = endpoints.size() > 1 || selection == Selection.NEAREST;
      HttpEndpoint first =
          new HttpEndpoint(endpoints.get(0), connectTimeout, closeWait, connections, Ticker.SYSTEM, answerBytes,
              secured,
              authentication != null ? authentication : new ClientAuthentication(credentials));
      boolean choosing = selection == Selection.NEAREST;
      ReferralKeeper told = choosing ? ReferralKeeper.of(site, Ticker.SYSTEM) : ReferralKeeper.silent();
      Servers all =
          new Servers(endpoints, new Connector(first, dialect, requestTimeout, Optional.ofNullable(root), told));
      int most = attempts != null ? attempts : several ? Integer.MAX_VALUE : ATTEMPTS;
      RetryPolicy policy =
          new RetryPolicy(most, deadline, firstPause, several ? LONGEST_PAUSE_OF_SEVERAL : LONGEST_PAUSE);
      LongUnaryOperator random = bound -> ThreadLocalRandom.current().nextLong(bound);
      Choosing named = new NamedChoosing(all);
      Choosing chosen = choosing ? new NearestChoosing(all, told, site, Ticker.SYSTEM, random) : named;
      Repetition repetition = new Repetition(new Referrals(chosen, Ticker.SYSTEM), policy, Ticker.SYSTEM, random);
      // An element of a pool has a home among the servers, which it does not change at every renewal.
      Repetition staying =
          choosing ? new Repetition(new Referrals(named, Ticker.SYSTEM), policy, Ticker.SYSTEM, random) : repetition;
      NameService repeating = new RetryingNameService(repetition);
      NameService identified = requestIds ? new RequestIdNameService(repeating, RequestId::random) : repeating;
      Routing routing = followReferrals ? Routing.REFER : Routing.FORWARD;
      return new SessionNameService(identified, consistency, routing, new RetryingPools(staying), chosen,
          dialect == Dialect.RNS_1_1 && root == null ? Optional.of(deadline) : Optional.empty(), secured, credentials);
    }
  }
}
