package io.rns.server.soap;

import io.rns.api.Positions;
import io.rns.client.RnsClient;
import io.rns.referral.Announcement;
import io.rns.referral.Experience;
import io.rns.referral.Referral;
import io.rns.referral.ServerCandidate;
import io.rns.referral.ServerOrder;
import io.rns.referral.Site;
import io.rns.referral.Wish;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Where callers of the standards find the tree if they lose a server. Safe for use by many threads. */
final class NearServers {
  /** Resolvers at other servers in each reference of a directory. */
  static final int MOST_RESOLVERS = 2;

  /** References are written often; the servers are looked at once in this time. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Servers have no experience of each other as clients have: all are as if they answered in the same time. */
  private static final Experience ALIKE = new Experience(1, 0, Positions.NONE, -1, 0);

  private final Supplier<List<Referral>> servers;
  private final LongSupplier nanos;
  private final IntUnaryOperator random;
  private volatile Seen seen;

  /**
   * The servers of the root, which answer for the whole tree.
   *
   * @param servers returns the servers of each part of the tree, the root's first
   * @param nanos a clock that only goes forward, in nanoseconds
   * @param random gives a number from zero up to, and without, its argument
   */
  NearServers(Supplier<List<Referral>> servers, LongSupplier nanos, IntUnaryOperator random) {
    this.servers = servers;
    this.nanos = nanos;
    this.random = random;
    this.seen = new Seen(List.of(), nanos.getAsLong() - KEPT_NANOS);
  }

  private record Seen(List<String> endpoints, long at) {}

  /** The SOAP endpoints of servers other than the one at an endpoint, that live, in a constant order; a few. */
  List<String> others(String own) {
    Seen last = seen;
    if (nanos.getAsLong() - last.at() >= KEPT_NANOS) {
      last = new Seen(living().stream().map(NearServers::endpoint).sorted().toList(), nanos.getAsLong());
      seen = last;
    }
    return last.endpoints().stream().filter(endpoint -> !endpoint.equals(own)).limit(MOST_RESOLVERS).toList();
  }

  /** The SOAP endpoint of the best server for reads of a caller; empty if none is known. */
  Optional<String> best(Site site) {
    List<ServerCandidate> candidates =
        living().stream().map(server -> new ServerCandidate(server, true, ALIKE)).toList();
    return ServerOrder.of(candidates, Wish.read(site), random).stream()
        .findFirst()
        .map(choice -> endpoint(choice.server()));
  }

  private List<Announcement> living() {
    return servers.get().getFirst().servers().stream().filter(Announcement::living).toList();
  }

  private static String endpoint(Announcement server) {
    return RnsClient.soapEndpoint(URI.create(server.url())).toString();
  }
}
