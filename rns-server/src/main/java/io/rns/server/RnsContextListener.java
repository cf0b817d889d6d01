package io.rns.server;

import io.rns.api.Caller;
import io.rns.api.NameService;
import io.rns.client.http.MessageAuthentication;
import io.rns.identity.CallerPassing;
import io.rns.identity.Identification;
import io.rns.identity.TicketKeys;
import io.rns.server.access.AccessLog;
import io.rns.server.access.LineLogSettings;
import io.rns.server.audit.AuditFilter;
import io.rns.server.audit.AuditLog;
import io.rns.server.audit.AuditSettings;
import io.rns.server.audit.AuditedNames;
import io.rns.server.backup.BackupServlet;
import io.rns.server.group.GroupServlet;
import io.rns.server.http.CallerFilter;
import io.rns.server.http.EntranceFilter;
import io.rns.server.http.ErrorServlet;
import io.rns.server.http.FilterSequence;
import io.rns.server.http.HomeServlet;
import io.rns.server.http.SharedAnswers;
import io.rns.server.http.Traffic;
import io.rns.server.memory.MemoryPool;
import io.rns.server.metrics.MetricsServlet;
import io.rns.server.metrics.ServerMetrics;
import io.rns.server.names.NamesServlet;
import io.rns.server.operator.OperatorGate;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.partition.PartitionServlet;
import io.rns.server.partition.TicketsAtRoot;
import io.rns.server.pool.PoolCallers;
import io.rns.server.pool.PoolServlet;
import io.rns.server.soap.SoapEndpoint;
import io.rns.server.soap.SoapFilter;
import io.rns.server.soap.SoapSettings;
import io.rns.server.soap.WrittenPages;
import io.rns.server.ticket.TicketServlet;
import io.rns.server.ticket.TicketStore;
import io.rns.server.watch.FrontChangesServlet;
import io.rns.server.watch.WatchServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of the server in an application server: the composition root of the WAR. */
@WebListener
public final class RnsContextListener implements ServletContextListener {
  private static final Logger LOG = LoggerFactory.getLogger(RnsContextListener.class);

  private @Nullable Startup startup;
  private @Nullable AccessLog access;
  private @Nullable AuditLog audit;
  private @Nullable ServerMetrics metrics;
  private @Nullable Identification identification;
  private @Nullable TicketStore tickets;

  /**
   * Reads the configuration and begins to start the server.
   *
   * @throws IllegalArgumentException if a setting is refused, which makes the deployment fail with that message
   */
  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    ServerConfig config = ServerConfig.read(variables());
    SoapSettings soap = new SoapSettings(
        config.web().publicUrl(), config.requestTimeout(), config.largeRequests(), InstantSource.system());
    Traffic traffic = new Traffic(config.requestTimeout(), MemoryPool.ofHeap());
    context.setAttribute(Traffic.ATTRIBUTE, traffic);
    RequestAdmission admission = new RequestAdmission(config.overload(), System::nanoTime);
    AccessLog log = config.accessLog().map(RnsContextListener::open).orElse(null);
    access = log;
    AuditLog audits = config.audit().map(settings -> open(settings, config.secret())).orElse(null);
    audit = audits;
    logProtection(config);
    ServerMetrics measured = new ServerMetrics();
    metrics = measured;
    CallerPassing passing =
        config.secret().isEmpty() ? null : new CallerPassing(config.secret(), config.name(), InstantSource.system());
    Startup starting =
        new Startup(
            config,
            new ServerLoad(admission::occupiedPercent),
            passing == null ? MessageAuthentication.NONE : passing,
            reader -> new PoolCallers(this::caller, reader, audits, InstantSource.system()),
            server -> context.setAttribute(
                SoapEndpoint.ATTRIBUTE,
                new SoapEndpoint(
                    new SoapEndpoint.Parts(
                        measured.over(audited(server.service(), audits)), server.permittedPools(), soap,
                        server::mayWait,
                        admission, server::referrals, server::self, log,
                        new WrittenPages(config.writtenBytes())))));
    OperatorGate gate = new OperatorGate(config.secret(), config.places(), InstantSource.system());
    add(context, "status", new StatusServlet(starting, config, admission, log, audits, gate, traffic), "/health",
        "/status");
    WatchServlet watchers = new WatchServlet(
        starting::changes, starting::partitionTable, starting::access, starting::directory, starting::drains,
        config.watchers(), log, traffic);
    add(context, "watch", watchers, "/watch");
    SharedAnswers shared =
        new SharedAnswers(starting::partitionTable,
            log == null && config.audit().filter(AuditSettings::reads).isEmpty());
    context.setAttribute(SharedAnswers.ATTRIBUTE, shared);
    add(context, "front-changes", new FrontChangesServlet(starting::membership, shared, gate, traffic),
        "/front/changes");
    NamesServlet names =
        new NamesServlet(() -> measured(starting.names(), measured, audits), starting::referrals,
            starting::partitionTable, admission, log, shared, traffic);
    add(context, "names", names, "/names", "/names/*");
    ServerNumbers numbers =
        new ServerNumbers(starting, config.name(), admission, log, audits, watchers, traffic,
            () -> context.getAttribute(SoapEndpoint.ATTRIBUTE) instanceof SoapEndpoint ready ? ready.statistics()
                : Map.of());
    context.addServlet("metrics", new MetricsServlet(measured, numbers::now)).addMapping("/metrics");
    add(context, "group", new GroupServlet(starting::membership, starting::access, gate, traffic), "/group/*");
    TicketStore known =
        new TicketStore(
            starting::copy, config.rootServers().isEmpty(), new TicketsAtRoot(starting::partitions),
            InstantSource.system());
    tickets = known;
    add(context, "partitions", new PartitionServlet(starting::partitions, starting::access, known, gate, traffic),
        "/partitions",
        "/partitions/*");
    add(context, "backup", new BackupServlet(starting::backups, starting::access, gate, traffic), "/backup");
    add(context, "pools", new PoolServlet(starting::pools, traffic), "/pools", "/pools/*");
    context.addServlet("home", new HomeServlet()).addMapping("", "/");
    context.addServlet("error", new ErrorServlet(SoapFilter::refuse)).addMapping(ErrorServlet.PATH);
    context.addServlet("servers", new ServersServlet(starting)).addMapping("/servers");
    Optional<TicketKeys> ticketKeys =
        config.secret().isEmpty() ? Optional.empty() : Optional.of(new TicketKeys(config.secret()));
    add(context, "tickets", new TicketServlet(known, ticketKeys, starting::access, traffic, InstantSource.system()),
        "/tickets", "/tickets/*");
    Identification identified = config.identity().start(ticketKeys, known, InstantSource.system());
    identification = identified;
    List<Filter> filters = new ArrayList<>();
    if (audits != null) {
      filters.add(new AuditFilter(audits, InstantSource.system()));
    }
    filters.add(new EntranceFilter(config.web(), SoapFilter::refuse));
    filters.add(new CallerFilter(identified, passing, gate::isForThisServer, SoapFilter::refuse));
    FilterRegistration.Dynamic entrance = context.addFilter("entrance", new FilterSequence(filters));
    entrance.setAsyncSupported(true);
    entrance.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    startup = starting;
    starting.start();
    known.start();
  }

  /** Who has presented certificates by another protocol than HTTP. */
  private Caller caller(List<X509Certificate> chain, Supplier<String> origin) {
    return Objects.requireNonNull(identification, "set before the server starts").caller(null, chain, origin);
  }

  /** Logs how open the server is, and a warning if that is hardly what its operator wants. */
  private static void logProtection(ServerConfig config) {
    String audit =
        config.audit().map(settings -> (settings.reads() ? "all in " : "changes in ") + settings.directory())
            .orElse("off");
    LOG.info("access: {}; audit: {}", config.access().mode().text(), audit);
    boolean onLoopback =
        HttpListeners.areOnLoopback(
            Path.of(System.getProperty("com.sun.aas.instanceRoot", "/"), "config", "domain.xml"),
            System.getProperty("com.sun.aas.instanceName", "server"));
    Exposure.warning(config, onLoopback).ifPresent(LOG::warn);
  }

  private static @Nullable NameService measured(
      @Nullable NameService names, ServerMetrics metrics, @Nullable AuditLog audits) {
    return names == null ? null : metrics.over(audited(names, audits));
  }

  private static NameService audited(NameService names, @Nullable AuditLog audits) {
    return audits == null ? names : new AuditedNames(names);
  }

  /** Adds a servlet whose requests have virtual threads. */
  private static void add(ServletContext context, String name, HttpServlet servlet, String... paths) {
    ServletRegistration.Dynamic added = context.addServlet(name, servlet);
    added.setAsyncSupported(true);
    added.addMapping(paths);
  }

  private static AccessLog open(LineLogSettings settings) {
    try {
      return AccessLog.start(settings, InstantSource.system(), System::nanoTime);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          Knob.RNS_ACCESS_LOG + "='" + settings.file() + "' cannot be written: " + e.getMessage(), e);
    }
  }

  private static AuditLog open(AuditSettings settings, String secret) {
    try {
      return AuditLog.start(settings, secret, InstantSource.system());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          Knob.RNS_AUDIT + "='" + settings.directory() + "' cannot be written: " + e.getMessage(), e);
    }
  }

  /** Environment variables, and system properties of the same names if variables cannot be set. */
  private static Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>();
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("RNS_"))
        .forEach(name -> variables.put(name, System.getProperty(name)));
    variables.putAll(System.getenv());
    return variables;
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    TicketStore known = tickets;
    if (known != null) {
      known.close();
    }
    Startup started = startup;
    if (started != null) {
      started.close();
    }
    AccessLog opened = access;
    if (opened != null) {
      opened.close();
    }
    ServerMetrics measured = metrics;
    if (measured != null) {
      measured.close();
    }
    Identification identified = identification;
    if (identified != null) {
      identified.close();
    }
    // Until here there may be events.
    AuditLog audits = audit;
    if (audits != null) {
      audits.close();
    }
    // Libraries have added them to the JVM, which would keep this application in memory.
    for (Provider provider : Security.getProviders()) {
      if (Objects.equals(provider.getClass().getClassLoader(), RnsContextListener.class.getClassLoader())) {
        Security.removeProvider(provider.getName());
      }
    }
  }
}
