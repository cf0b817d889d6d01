package io.rns.front;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import io.rns.error.RnsException;
import io.rns.front.FrontSettings.Limits;
import io.rns.front.FrontSettings.Timeouts;
import io.rns.identity.X509Settings;
import io.rns.referral.Site;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program of a front; {@code ./rns up --fronts} runs it. */
@Command(name = "rns-front", mixinStandardHelpOptions = true, description = {
    "Run a connection server in front of RNS servers.",
    "It learns all servers from those named, and follows changes."
}, footer = {"", "Exit codes: 0 stopped, drained or handed over, 1 failed, 2 invalid usage."})
public final class FrontProgram implements Callable<Integer> {
  private static final Duration STOP_BOUND = Duration.ofSeconds(5);

  @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to listen on (default: ${DEFAULT-VALUE}).") private String host =
      "";

  @Option(names = "--port", defaultValue = "8080", description = "HTTP port (default: ${DEFAULT-VALUE}); 0 for any free port.") private int port;

  @Option(names = "--server", required = true, split = ",", description = "Addresses of servers, such as http://host:8080/rns, comma-separated.") private List<URI> servers =
      List.of();

  @Option(names = "--tls-cert", description = "HTTPS with the certificate chain in this PEM file; needs --tls-key.") private @Nullable Path certificate;

  @Option(names = "--tls-key", description = "Its key, an unencrypted PEM file.") private @Nullable Path key;

  @Option(names = "--ca", description = "PEM file of the certificates that servers with https addresses may have (default: the authorities of Java).") private @Nullable Path authority;

  @Option(names = "--secret-file", description = "File of the servers' RNS_GROUP_SECRET: servers then count anonymous clients by their own addresses.") private @Nullable Path secret;

  @Option(names = "--x509-trust", description = "Take certificates of clients, of the authorities in this directory or PEM file, as RNS_X509_TRUST; needs --tls-cert and --secret-file.") private @Nullable Path x509;

  @Option(names = "--x509-crl", defaultValue = "if-valid", description = "'require': refuse certificates of authorities without a valid revocation list, as RNS_X509_CRL (default: ${DEFAULT-VALUE}).") private String revocation =
      "";

  @Option(names = "--voms", description = "Directory of VOMS servers, as RNS_VOMS; needs --x509-trust.") private @Nullable Path voms;

  @Option(names = "--name", defaultValue = "front", description = "Name of the front in the audit log of servers (default: ${DEFAULT-VALUE}).") private String name =
      "";

  @Option(names = "--no-direct", description = "Pass large responses on, also to clients that would fetch them from servers: for clients that cannot reach these.") private boolean indirect;

  @Option(names = "--site", defaultValue = "", description = "Site of the front, to prefer near servers.") private String site =
      "";

  @Option(names = "--admin", required = true, description = "Socket file for administration, in a private directory.") private @Nullable Path admin;

  @Option(names = "--take-over", description = "Socket file of the front whose connections this one takes over.") private @Nullable Path predecessor;

  @Option(names = "--interface", description = "Network interface that has --host, an IPv4 address, while the front serves: the front can move to another machine then; needs --secret-file, CAP_NET_ADMIN and CAP_NET_RAW.") private @Nullable String device;

  @Option(names = "--await", paramLabel = "HOST:PORT", description = "Wait at this address for a front of another machine that moves here; needs --interface.") private @Nullable String place;

  @Option(names = "--threads", defaultValue = "0", description = "Event loops (default: one for each processor).") private int threads;

  @Option(names = "--connections", defaultValue = "12000", description = "Maximum number of clients; HTTP/2 requests are refused if clients and concurrent requests are more (default: ${DEFAULT-VALUE}).") private int connections;

  @Option(names = "--server-connections", defaultValue = "256", description = "Maximum number of connections to each server, without watches (default: ${DEFAULT-VALUE}).") private int serverConnections;

  @Option(names = "--streams", defaultValue = "2000", description = "Maximum number of watches (default: ${DEFAULT-VALUE}).") private int streams;

  @Option(names = "--waiting", defaultValue = "12000", description = "Maximum number of requests to each server that wait for a connection (default: ${DEFAULT-VALUE}).") private int waiting;

  @Option(names = "--memory", defaultValue = "128", description = "MiB for requests and responses in transit (default: ${DEFAULT-VALUE}).") private long memory;

  @Option(names = "--cache", defaultValue = "16", description = "MiB for answers that the front gives without a server (default: ${DEFAULT-VALUE}); 0 for none; needs --secret-file.") private long cache;

  @Option(names = "--request-timeout", defaultValue = "30", description = "Seconds in which a request must have arrived (default: ${DEFAULT-VALUE}).") private int request;

  @Option(names = "--idle-timeout", defaultValue = "600", description = "Seconds that a client may be idle (default: ${DEFAULT-VALUE}).") private int idle;

  @Option(names = "--answer-timeout", defaultValue = "75", description = "Seconds in which a response must begin (default: ${DEFAULT-VALUE}).") private int answer;

  @Option(names = "--stall-timeout", defaultValue = "60", description = "Seconds in which a client must read something (default: ${DEFAULT-VALUE}).") private int stall;

  /** Runs the program. */
  public static void main(String[] arguments) {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    System.exit(
        new CommandLine(new FrontProgram())
            .setExecutionExceptionHandler((failure, command, parsed) -> {
              command.getErr().println("rns-front: " + failure.getMessage());
              boolean usage = failure instanceof IllegalArgumentException || failure instanceof RnsException;
              return usage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
            })
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    FrontSettings settings = settings();
    FrontServer server = start(settings);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> stop(server)));
    System.out.println("front ready at " + settings.url(server.port()));
    server.awaitEnd();
    return 0;
  }

  private FrontServer start(FrontSettings settings) throws IOException {
    if (place != null) {
      if (predecessor != null || device == null) {
        throw new IllegalArgumentException("--await needs --interface, and excludes --take-over");
      }
      return FrontServer.await(settings, HostAndPort.of("--await", place));
    }
    return predecessor == null ? FrontServer.start(settings) : FrontServer.takeOver(settings, predecessor);
  }

  private static void stop(FrontServer server) {
    if (server.state() != FrontServer.State.HANDED_OVER) {
      server.drain(STOP_BOUND);
    }
    server.close();
  }

  private X509Settings clients() {
    if (!revocation.equals("if-valid") && !revocation.equals("require")) {
      throw new IllegalArgumentException("--x509-crl must be if-valid or require, not " + revocation);
    }
    return new X509Settings(Optional.ofNullable(x509), revocation.equals("require"), Optional.ofNullable(voms));
  }

  /** The settings that options stand for. */
  static FrontSettings settings(String... options) {
    return CommandLine.populateCommand(new FrontProgram(), options).settings();
  }

  private FrontSettings settings() {
    Path socket = admin;
    if (socket == null) {
      throw new IllegalArgumentException("--admin must name a socket file");
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("--tls-cert and --tls-key need each other");
    }
    FrontSettings.Certificate tls =
        certificate == null || key == null ? null : new FrontSettings.Certificate(certificate, key);
    int loops = threads == 0 ? Math.max(1, Runtime.getRuntime().availableProcessors()) : threads;
    return new FrontSettings(
        host, port, tls, servers, authority, secret, clients(), name, !indirect, new Site(site), socket,
        new Limits(loops, connections, serverConnections, streams, waiting, memory << 20, cache << 20),
        new Timeouts(
            Duration.ofSeconds(request), Duration.ofSeconds(idle), Duration.ofSeconds(answer),
            Duration.ofSeconds(stall)),
        device);
  }
}
