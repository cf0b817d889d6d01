package io.rns.loadtest.load;

import io.rns.api.NameService;
import io.rns.client.CredentialSource;
import io.rns.client.http.TlsTrust;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.References;
import io.rns.loadtest.service.RnsPeer;
import io.rns.loadtest.work.Session;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What to run.
 *
 * @param trust the certificates accepted from an HTTPS service
 * @param credentials what the clients prove who they are by; of prepared messages, what it is at the beginning
 * @param steps how many clients there are, each with one request at a time; several numbers are run in turns
 * @param rounds how often workload and yardsticks take turns
 * @param measured how long each of them is measured, all rounds together
 * @param warmUp how long it runs before that, in the first round; a quarter of it in the later ones
 * @param processes those of the service on this machine, by what they are; their use of the processors is told
 */
public record LoadSettings(
    LoadOperation operation,
    LoadTransport via,
    String serviceUrl,
    TlsTrust trust,
    CredentialSource credentials,
    Server server,
    List<Integer> steps,
    RequestArrivals arrivals,
    int rounds,
    Duration measured,
    Duration warmUp,
    Work work,
    boolean yardsticks,
    Optional<String> jdbcUrl,
    Map<String, List<Long>> processes,
    Duration timeout) {
  public enum Server {
    RNS,
    /** Nothing: requests are made, not sent, and answered at once, which shows what the generator itself can do. */
    NONE,
    /**
     * A process that answers at once and does nothing else, which shows what the generator can do with a network in
     * between.
     */
    SOCKET;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same for a trace, which says how many clients there are, what they do, and when. */
  public LoadSettings ofTrace(int sessions, Duration length) {
    return new LoadSettings(
        operation, via, serviceUrl, trust, credentials, server, List.of(sessions), new RequestArrivals.OfClients(), 1,
        length,
        Duration.ZERO, work,
        false,
        Optional.empty(), processes, timeout);
  }

  /** The service. */
  public HttpTarget target() {
    return HttpTarget.of(serviceUrl, trust, credentials.authorization(URI.create(serviceUrl), Optional.empty()));
  }

  public int clients() {
    return Collections.max(steps);
  }

  /** Makes the sessions that perform a mix or a trace. */
  Supplier<Session> sessions(NameService client) {
    Messages messages = new Messages(work.consistency(), new References(work.referenceBytes()));
    return server == Server.NONE
        ? () -> Session.NOTHING
        : new RnsPeer(target(), client, via, messages)::session;
  }

  /** Requests per second of all clients together that are wanted; 0 for as many as they can. */
  double rate() {
    return arrivals instanceof RequestArrivals.Open open ? open.perSecond() : 0;
  }

  Schedule firstRound() {
    return new Schedule(warmUp, measured.dividedBy(rounds));
  }

  Schedule laterRounds() {
    return new Schedule(warmUp.dividedBy(4), measured.dividedBy(rounds));
  }
}
