package io.rns.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rns.api.NameService;
import io.rns.replication.Role;
import java.util.Locale;
import java.util.Map;

/** The metrics of one server. Safe for use by many threads. */
public final class ServerMetrics implements AutoCloseable {
  /** What {@link #text} is, for {@code Content-Type}. */
  public static final String CONTENT_TYPE = "text/plain;version=0.0.4;charset=utf-8";

  /**
   * What a server is at one moment.
   *
   * @param role what it is in its group
   * @param statistics its numbers by name; those it does not have now are missing
   */
  public record Snapshot(Role role, Map<String, Number> statistics) {}

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MeasuredNames.Operations operations = MeasuredNames.Operations.in(registry);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  /** All figures of one answer are of one moment, and each is looked up once. */
  private volatile Snapshot told = new Snapshot(Role.STARTING, Map.of());

  /** Metrics without requests. */
  public ServerMetrics() {
    for (Metric figure : Metric.ALL) {
      String statistic = figure.statistic();
      if (figure.counts()) {
        // Not a number in place of 0 would spoil every rate over the time in which the server started.
        FunctionCounter.builder(figure.name(), this, metrics -> metrics.value(statistic, 0))
            .description(figure.help())
            .register(registry);
      } else {
        Gauge.builder(figure.name(), this, metrics -> metrics.value(statistic, Double.NaN))
            .description(figure.help())
            .register(registry);
      }
    }
    for (Role role : Role.values()) {
      Gauge.builder("rns.role", this, metrics -> metrics.told.role() == role ? 1 : 0)
          .description("1 for the role that the server has, 0 for the others")
          .tag("role", role.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  private double value(String statistic, double absent) {
    Number value = told.statistics().get(statistic);
    return value == null ? absent : value.doubleValue();
  }

  /** A service whose requests are measured; closing it closes nothing. */
  public NameService over(NameService service) {
    return new MeasuredNames(service, operations);
  }

  /** All metrics of a server in the given state, in Prometheus text format. */
  public String text(Snapshot now) {
    told = now;
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
