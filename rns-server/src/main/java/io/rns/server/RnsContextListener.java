package io.rns.server;

import io.rns.api.NameService;
import io.rns.client.http.MessageAuthentication;
import io.rns.identity.CallerPassing;
import io.rns.identity.Identification;
import io.rns.identity.TicketKeys;
import io.rns.server.access.AccessLog;
import io.rns.server.access.AccessLogSettings;
import io.rns.server.backup.BackupServlet;
import io.rns.server.group.GroupServlet;
import io.rns.server.http.CallerFilter;
import io.rns.server.http.EntranceFilter;
import io.rns.server.http.ErrorServlet;
import io.rns.server.http.HomeServlet;
import io.rns.server.http.Traffic;
import io.rns.server.memory.MemoryPool;
import io.rns.server.metrics.MetricsServlet;
import io.rns.server.metrics.ServerMetrics;
import io.rns.server.names.NamesServlet;
import io.rns.server.operator.OperatorGate;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.partition.PartitionServlet;
import io.rns.server.partition.TicketsAtRoot;
import io.rns.server.pool.PoolServlet;
import io.rns.server.soap.SoapEndpoint;
import io.rns.server.soap.SoapFilter;
import io.rns.server.soap.SoapSettings;
import io.rns.server.ticket.TicketServlet;
import io.rns.server.ticket.TicketStore;
import io.rns.server.watch.WatchServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.security.Provider;
import java.security.Security;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The life of the server in an application server: the composition root of the WAR. */
@WebListener
public final class RnsContextListener implements ServletContextListener {
  private @Nullable Startup startup;
  private @Nullable AccessLog access;
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
    ServerMetrics measured = new ServerMetrics();
    metrics = measured;
    CallerPassing passing =
        config.secret().isEmpty() ? null : new CallerPassing(config.secret(), InstantSource.system());
    Startup starting =
        new Startup(
            config,
            new ServerLoad(admission::occupiedPercent),
            passing == null ? MessageAuthentication.NONE : passing,
            server -> context.setAttribute(
                SoapEndpoint.ATTRIBUTE,
                new SoapEndpoint(
                    new SoapEndpoint.Parts(
                        measured.over(server.service()), server.permittedPools(), soap, server::mayWait,
                        admission, server::referrals, server::self, log))));
    OperatorGate gate = new OperatorGate(config.secret(), config.places(), InstantSource.system());
    add(context, "status", new StatusServlet(starting, config, admission, log, gate, traffic), "/health", "/status");
    WatchServlet watchers = new WatchServlet(
        starting::changes, starting::partitionTable, starting::access, config.watchers(), log, traffic);
    add(context, "watch", watchers, "/watch");
    NamesServlet names =
        new NamesServlet(() -> measured(starting, measured), starting::referrals, admission, log, traffic);
    add(context, "names", names, "/names", "/names/*");
    ServerNumbers numbers = new ServerNumbers(starting, config.name(), admission, log, watchers::watchers);
    context.addServlet("metrics", new MetricsServlet(measured, numbers::now)).addMapping("/metrics");
    add(context, "group", new GroupServlet(starting::membership, starting::access, gate, traffic), "/group/*");
    TicketStore known =
        new TicketStore(
            starting::copy,
            config.rootServers().isEmpty() ? Optional.empty() : Optional.of(new TicketsAtRoot(starting::partitions)),
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
    FilterRegistration.Dynamic entrance =
        context.addFilter("entrance", new EntranceFilter(config.web(), SoapFilter::refuse));
    entrance.setAsyncSupported(true);
    entrance.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    Optional<TicketKeys> ticketKeys =
        config.secret().isEmpty() ? Optional.empty() : Optional.of(new TicketKeys(config.secret()));
    add(context, "tickets", new TicketServlet(known, ticketKeys, starting::access, traffic, InstantSource.system()),
        "/tickets", "/tickets/*");
    Identification identified = config.identity().start(ticketKeys, known, InstantSource.system());
    identification = identified;
    FilterRegistration.Dynamic callers =
        context.addFilter("callers", new CallerFilter(identified, passing, gate::isForThisServer, SoapFilter::refuse));
    callers.setAsyncSupported(true);
    callers.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    startup = starting;
    starting.start();
    known.start();
  }

  private static @Nullable NameService measured(Startup startup, ServerMetrics metrics) {
    NameService names = startup.names();
    return names == null ? null : metrics.over(names);
  }

  /** Adds a servlet whose requests have virtual threads. */
  private static void add(ServletContext context, String name, HttpServlet servlet, String... paths) {
    ServletRegistration.Dynamic added = context.addServlet(name, servlet);
    added.setAsyncSupported(true);
    added.addMapping(paths);
  }

  private static AccessLog open(AccessLogSettings settings) {
    try {
      return AccessLog.start(settings, InstantSource.system(), System::nanoTime);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          Knob.RNS_ACCESS_LOG + "='" + settings.file() + "' cannot be written: " + e.getMessage(), e);
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
    // Libraries have added them to the JVM, which would keep this application in memory.
    for (Provider provider : Security.getProviders()) {
      if (Objects.equals(provider.getClass().getClassLoader(), RnsContextListener.class.getClassLoader())) {
        Security.removeProvider(provider.getName());
      }
    }
  }
}
