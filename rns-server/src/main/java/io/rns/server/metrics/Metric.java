package io.rns.server.metrics;

import java.util.List;

/**
 * A statistic of the server as a metric.
 *
 * @param statistic its name among the statistics
 * @param name of the metric; a counter's gets {@code _total}
 * @param help what it is
 * @param counts whether it only grows
 */
record Metric(String statistic, String name, String help, boolean counts) {
  /**
   * All that are served. A gauge that a server does not have now is NaN, a counter 0: that of a writer on a replica.
   */
  static final List<Metric> ALL =
      List.of(
          gauge("serving", "rns.serving", "1 if a query of the root is answered, else 0"),
          gauge("epoch", "rns.position.epoch", "epoch of the position that reads here have"),
          gauge("sequence", "rns.position.sequence", "number of the last change that reads here have"),
          gauge("lagSeconds", "rns.lag.seconds",
              "median of the times of the last minute from a commit at the primary until reads here saw it"),
          gauge("ageSeconds", "rns.age.seconds", "how old what reads here have may be"),
          gauge("certificateExpirySeconds", "rns.certificate.expiry.seconds",
              "seconds until the certificate of HTTPS expires"),
          counter("hits", "rns.cache.hits", "entries found in the cache"),
          counter("misses", "rns.cache.misses", "entries that were not in the cache"),
          counter("evictions", "rns.cache.evictions", "entries dropped from the cache to make room"),
          gauge("writesWaiting", "rns.writer.queue", "write requests that wait for the writer"),
          gauge("writersWaiting", "rns.writer.callers", "callers of which writes wait for the writer"),
          counter("writesRefusedByShare", "rns.writer.refused",
              "writes refused because their caller had most of a full queue"),
          counter("memoryRefusedByShare", "rns.memory.refused",
              "requests refused because their caller held most of the memory for requests"),
          counter("watchesRefusedByShare", "rns.watchers.refused",
              "watches refused because their caller had a quarter of all"),
          counter("writesCommitted", "rns.writer.requests", "write requests committed"),
          counter("writeTransactions", "rns.writer.batches", "transactions of the writer, each a batch of requests"),
          gauge("readConnectionsInUse", "rns.database.read.connections.used", "connections that reads use"),
          gauge("readConnectionsIdle", "rns.database.read.connections.idle", "connections of reads that are idle"),
          gauge("readsWaitingForConnection", "rns.database.read.waiting", "reads that wait for a connection"),
          gauge("writeConnectionsInUse", "rns.database.write.connections.used",
              "whether the writer uses its connection"),
          gauge("watchers", "rns.watchers", "clients that watch changes"),
          gauge("iterators", "rns.iterators", "iterators over the rest of a response, which end with this server"),
          gauge("occupiedPlaces", "rns.admission.places.occupied", "requests at work, with RNS_OVERLOAD"),
          gauge("freePlaces", "rns.admission.places.free", "requests that would be let in, with RNS_OVERLOAD"),
          counter("rejectedRequests", "rns.admission.rejected", "requests rejected, with RNS_OVERLOAD"),
          counter("accessLogDropped", "rns.access.log.dropped", "lines of the access log that were lost"),
          counter("dnsLogDropped", "rns.dns.log.dropped", "lines of the DNS log that were lost"),
          counter("auditEvents", "rns.audit.events", "events written to the audit log"),
          counter("auditLost", "rns.audit.lost", "events that the audit log has not, since they could not be written"),
          counter("auditUnlisted", "rns.audit.unlisted", "refused anonymous requests that the audit log counts only"),
          gauge("auditWaitingBytes", "rns.audit.waiting.bytes", "memory of events that wait to be written"),
          gauge("auditFailing", "rns.audit.failing", "1 while the audit log cannot be written, else 0"),
          gauge("pools", "rns.pools", "server pools that the registrar knows"),
          gauge("poolElements", "rns.pool.elements", "elements of all server pools"),
          gauge("poolElementBytes", "rns.pool.elements.bytes", "estimated memory of elements of all server pools"),
          gauge("poolRegistrars", "rns.pool.registrars", "registrars, with this one"),
          counter("poolSelections", "rns.pool.selections", "resolutions answered with elements"),
          counter("poolRejections", "rns.pool.rejections", "resolutions and registrations refused"),
          counter("poolReports", "rns.pool.reports", "reports that an element could not be reached"),
          counter("poolLosses", "rns.pool.losses", "elements lost"),
          counter("poolTakeovers", "rns.pool.takeovers", "registrars whose elements this one took over"),
          counter("poolUpdatesRefused", "rns.pool.updates.refused",
              "elements of other registrars for which there was no room; they are announced again"),
          gauge("poolConnections", "rns.pool.connections", "connections of the pool ports, of either direction"),
          gauge("poolConnectionBytes", "rns.pool.connections.bytes", "memory of messages of these connections"),
          counter("poolConnectionsRefused", "rns.pool.connections.refused",
              "connections of the pool ports that had no place"),
          counter("poolConnectionsClosed", "rns.pool.connections.closed",
              "connections of the pool ports closed because messages took too much memory"),
          counter("poolUnanswered", "rns.pool.unanswered", "calls that the registrar did not answer in time"));

  private static Metric gauge(String statistic, String name, String help) {
    return new Metric(statistic, name, help, false);
  }

  private static Metric counter(String statistic, String name, String help) {
    return new Metric(statistic, name, help, true);
  }
}
