package io.rns.server;

import io.rns.api.Position;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.server.access.AccessLog;
import io.rns.server.audit.AuditLog;
import io.rns.server.metrics.ServerMetrics.Snapshot;
import io.rns.server.http.Traffic;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.watch.WatchServlet;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All statistics of this server.
 *
 * @param startup has the server
 * @param name of the server
 * @param soap the numbers of the endpoint of messages, if there is one
 */
record ServerNumbers(Startup startup, String name, RequestAdmission admission, @Nullable AccessLog access,
    @Nullable AuditLog audit, WatchServlet watchers, Traffic traffic,
    Supplier<Map<String, Number>> soap) {
  private static final double MILLIS = 1_000;

  /** Numbers now, without addresses and names. */
  Snapshot now() {
    RnsServer server = startup.server();
    Map<String, Number> numbers = new LinkedHashMap<>(entrances());
    numbers.putAll(watchers.statistics());
    numbers.putAll(traffic.statistics());
    numbers.putAll(soap.get());
    numbers.put("serving", 0);
    ListenerCertificate.now()
        .ifPresent(served -> numbers.put("certificateExpirySeconds", served.secondsLeft(Instant.now())));
    if (server == null) {
      return new Snapshot(Role.STARTING, numbers);
    }
    numbers.putAll(server.statistics());
    Role role = Role.STARTING;
    for (MemberReport report : server.membership().reports()) {
      if (report.name().equals(name)) {
        role = report.role();
        numbers.put("serving", report.reason().isEmpty() ? 1 : 0);
        numbers.put("lagSeconds", report.lag().p50Millis() / MILLIS);
        numbers.put("ageSeconds", report.ageMillis() / MILLIS);
        report.position().ifPresent(position -> put(numbers, position));
      }
    }
    return new Snapshot(role, numbers);
  }

  private static void put(Map<String, Number> numbers, Position position) {
    numbers.put("epoch", position.epoch());
    numbers.put("sequence", position.sequence());
  }

  /** Those of admission, access log and audit log. */
  private Map<String, Number> entrances() {
    Map<String, Number> numbers = new LinkedHashMap<>(admission.statistics());
    if (access != null) {
      numbers.putAll(access.statistics());
    }
    if (audit != null) {
      numbers.putAll(audit.statistics());
    }
    return numbers;
  }
}
