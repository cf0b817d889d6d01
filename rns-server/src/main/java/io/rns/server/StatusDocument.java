package io.rns.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.rns.api.Position;
import io.rns.identity.AccessMode;
import io.rns.referral.ServerRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.server.audit.AuditLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The document of {@code /status}. Operators get all of it. Anybody else gets no address of a database and no text of
 * an error, which may have one: the addresses of servers are public, what is behind them is not.
 */
record StatusDocument(
    String soap, String rest, String version, List<Server> servers,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Failover> failover,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Certificate> certificate,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Protection> protection) {
  private static final String SERVING = "serving";

  StatusDocument(
      String soap, String rest, List<Server> servers, Optional<Failover> failover, Optional<Certificate> certificate,
      Optional<Protection> protection) {
    this(soap, rest, ServerVersion.TEXT, servers, failover, certificate, protection);
  }

  /**
   * How open the server that answers is.
   *
   * @param access what access rules mean: open, log or closed
   * @param tls whether clients reach it by HTTPS
   * @param audit what the audit log records: off, changes or all
   * @param auditHead the last line of the audit log, as {@code SEQUENCE:HASH}; null without one
   * @param auditProblem why it cannot be written; null if it can
   */
  record Protection(
      String access, boolean tls, String audit,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String auditHead,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String auditProblem) {
    /** Of a server; the text of an error is for operators only. */
    static Protection of(AccessMode mode, boolean tls, @Nullable AuditLog audit, boolean operator) {
      return audit == null
          ? new Protection(mode.text(), tls, "off", null, null)
          : new Protection(
              mode.text(), tls, audit.scope(), audit.head().toString(),
              audit.trouble().map(why -> operator ? why : "not shown").orElse(null));
    }
  }

  /**
   * The certificate that the server that answers presents.
   *
   * @param expires when it expires, in ISO 8601
   * @param problem why the files on disk are not what is served; null if they are
   */
  record Certificate(String expires, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem) {
    /** Of a listener; its files are shown to operators only. */
    static Certificate of(ListenerCertificate served, boolean operator) {
      String problem = served.problem();
      return new Certificate(
          served.expires().toString(), problem.isEmpty() ? null : operator ? problem : "not shown");
    }
  }

  /**
   * What a group does by itself, as the server that answers sees it.
   *
   * @param next the name of the server that would replace the primary; null if none would
   * @param waits why a failover that is needed has not succeeded yet; null if none is
   */
  record Failover(@Nullable String next, @Nullable String waits) {
    /** Of a membership; empty if there is nothing to say. */
    static Optional<Failover> of(Optional<String> next, Optional<String> trouble, boolean operator) {
      Optional<String> waits = trouble.map(why -> operator ? why : "not shown");
      return next.isEmpty() && waits.isEmpty()
          ? Optional.empty()
          : Optional.of(new Failover(next.orElse(null), waits.orElse(null)));
    }
  }

  /**
   * A server.
   *
   * @param report null if it does not answer
   * @param own what only the server that answers knows of itself; null for others
   */
  record Server(
      String name,
      String url,
      String role,
      Optional<Integer> group,
      Optional<Position> position,
      Optional<Long> lagMillis,
      String state,
      @JsonUnwrapped @Nullable Report report,
      @JsonUnwrapped @Nullable Own own) {
    /** A server that answers. */
    static Server of(MemberReport report, boolean operator) {
      Optional<Position> position = report.position();
      return new Server(
          report.name(),
          report.url(),
          role(report),
          position.map(Position::group),
          position,
          position.map(known -> report.lag().p50Millis()),
          state(report.reason(), operator),
          new Report(report.lag(), report.ageMillis(), report.allegiance().accepted(), report.allegiance().vouches(),
              report.access(), report.database().map(each -> database(each, operator))),
          null);
    }

    /**
     * A server without a report.
     *
     * @param trouble why it does not serve
     */
    static Server of(String name, String url, String role, String trouble, boolean operator) {
      return new Server(
          name, url, role, Optional.empty(), Optional.empty(), Optional.empty(), state(trouble, operator), null, null);
    }

    Server with(String otherState, Own facts) {
      return new Server(name, url, role, group, position, lagMillis, otherState, report, facts);
    }

    private static String role(MemberReport report) {
      boolean drains = report.role() == Role.REPLICA && report.offer().draining();
      return drains ? ServerRole.DRAINING.text() : report.role().name().toLowerCase(Locale.ROOT);
    }

    private static String state(String trouble, boolean operator) {
      return trouble.isEmpty() ? SERVING : operator ? trouble : "not serving";
    }
  }

  /**
   * What a server that answers reports, with its database if it knows that.
   *
   * @param term that of the change of primary which it has accepted last; 0 if none
   * @param vouches whether a failover may rely on its database: not after a restart until that has caught up
   * @param access what access rules mean at it: open, log or closed; empty if it does not report that
   */
  record Report(Lag lag, long ageMillis, int term, boolean vouches,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String access,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Object> database) {}

  /** What the server that answers knows of itself. */
  record Own(
      Map<String, Number> statistics,
      Map<String, Object> registrar,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> dns) {}

  /** A database, for everybody. */
  private record PublicDatabase(
      boolean writable, boolean receiving, OptionalInt acknowledging, @Nullable String durability) {}

  /** A database, for operators. */
  private record OperatorsDatabase(
      String address, Optional<String> source, Optional<String> trouble, @JsonUnwrapped PublicDatabase all) {}

  /** A database, for an operator with its addresses and its trouble. */
  static Object database(DatabaseReport database, boolean operator) {
    OptionalInt replicas = database.acknowledging();
    PublicDatabase all =
        new PublicDatabase(
            database.writable(),
            database.receiving(),
            replicas,
            !database.writable() ? null : replicas.isPresent() ? "replicated" : "local");
    return operator
        ? new OperatorsDatabase(database.address(), database.source(), database.trouble(), all)
        : all;
  }
}
