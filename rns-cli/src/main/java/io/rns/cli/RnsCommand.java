package io.rns.cli;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.Positions;
import io.rns.client.CredentialSource;
import io.rns.client.Dialect;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code rns}. */
@Command(name = "rns", versionProvider = RnsCommand.Version.class, synopsisSubcommandLabel = "COMMAND", usageHelpAutoWidth = true, description = {
    "One tree of readable names over resources that live anywhere. A name is a directory, or a junction to one or more"
        + " endpoint references (URLs, or WS-Addressing references as XML).",
    ""
}, optionListHeading = "Global options:%n", commandListHeading = "%nCommands:%n", footerHeading = "%n", footer = {
    "Launcher commands, on this machine:",
    "  up          start the whole service with an embedded database",
    "  down        stop the service",
    "  front       list, migrate and drain the connection servers of up --fronts",
    "  account     add, list and remove local accounts",
    "  load        load-test a running service",
    "  trace       convert access logs of servers into a trace for load",
    "  jmeter      load-test a running service with Apache JMeter",
    "  drill       inject faults into a new group's primary, and verify every guarantee",
    "  link        forward connections with a delay, as between distant sites",
    "  sim         simulate server pools under the selection policies",
    "  bench       benchmark server pools, groups and other services",
    "  figures     measure every figure of docs/benchmarks.md, and rewrite that document",
    "",
    "Exit codes: 0 done; 1 refused by the namespace; 2 wrong usage; 3 no server reachable; 4 not permitted",
    "",
    "Examples:",
    "  rns mkdir -p /demo/papers",
    "  rns add /demo/papers/soap https://www.w3.org/TR/soap11/ --meta year=2000",
    "  rns query /demo/papers/soap",
    "  rns tree /demo",
    "  rns ls --help"
})
public final class RnsCommand {
  private static final String DEFAULT_SERVER = "http://127.0.0.1:8080/rns";

  private final Terminal terminal;
  private @Nullable Output output;
  private @Nullable TlsTrust trust;

  @Option(names = "--server", paramLabel = "URL", split = ",", scope = ScopeType.INHERIT, converter = Converters.OfServer.class, description = "Server, or servers of one group, repeatable or comma-separated; default: $RNS_SERVER, the service on $RNS_DATA, or "
      + DEFAULT_SERVER) private List<URI> servers = List.of();

  @Option(names = "--data", paramLabel = "DIR", scope = ScopeType.INHERIT, description = "Data directory of a service on this machine: its servers, certificate authority and secret; default: $RNS_DATA, or ~/.rns") private @Nullable Path data;

  @Option(names = "--ca", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Trusted certificates of HTTPS servers, in PEM; default: $RNS_CA, or the data directory's and Java's") private @Nullable Path ca;

  @Option(names = "--consistency", paramLabel = "C", scope = ScopeType.INHERIT, converter = Converters.OfConsistency.class, description = "Read consistency: primary, session (includes --after), 'bounded(500ms)' (1ms to 24h), any; default: session") private Consistency consistency =
      Consistency.SESSION;

  @Option(names = "--after", paramLabel = "POSITION", scope = ScopeType.INHERIT, converter = Converters.OfPositions.class, description = "See at least this position, from an earlier command's --json") private @Nullable Positions after;

  @Option(names = "--dialect", paramLabel = "D", scope = ScopeType.INHERIT, converter = Converters.OfDialect.class, completionCandidates = Converters.Dialects.class, description = "Dialect: 1.0, 1.1 or 1.1-plain (no extensions); default: $RNS_DIALECT, or 1.1") private @Nullable Dialect dialect;

  @Option(names = "--root", paramLabel = "EPR", scope = ScopeType.INHERIT, converter = Converters.OfReference.class, description = "Root directory of any RNS 1.1 service: URL, XML, or @FILE") private @Nullable EndpointReference root;

  @Option(names = "--token-file", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "File with a bearer token; default: $RNS_USER and $RNS_PASSWORD_FILE, $BEARER_TOKEN, the data directory's administrator, or that of 'rns login'") private @Nullable Path tokenFile;

  @Option(names = "--cert", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Client certificate or proxy for HTTPS servers, in PEM; default: $X509_USER_PROXY, $X509_USER_CERT, or /tmp/x509up_u$UID") private @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", scope = ScopeType.INHERIT, description = "Its key, in PEM; default: in the same file, or $X509_USER_KEY") private @Nullable Path key;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print one JSON document") private boolean json;

  @Option(names = {"-h", "--help"}, scope = ScopeType.INHERIT, usageHelp = true, description = "Show this help")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Option(names = {"-V",
      "--version"}, versionHelp = true, description = "Show client and server version, waiting at most 1 s")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean version;

  private RnsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The versions of the client, and of the server if one answers. */
  static final class Version implements IVersionProvider {
    @Spec private @Nullable CommandSpec spec;

    @Override
    public String[] getVersion() {
      String packaged = RnsCommand.class.getPackage().getImplementationVersion();
      String own = packaged == null ? "(not packaged)" : packaged;
      return spec != null && spec.root().userObject() instanceof RnsCommand rns
          ? new ServerVersions(rns).lines(own)
          : new String[]{"rns " + own};
    }
  }

  /** Runs a command of this process and exits with its code. */
  public static void main(String[] args) {
    System.exit(execute(Terminal.ofProcess(), args));
  }

  /** Runs a command and returns its exit code. */
  static int execute(Terminal terminal, String... args) {
    CommandLine line = commandLine(new RnsCommand(terminal), Commands.named(args));
    int code = line.execute(args);
    terminal.out().flush();
    return code;
  }

  /** The command with some of its subcommands: reading the annotations of all of them takes time. */
  static CommandLine commandLine(RnsCommand rns, Iterable<String> commands) {
    CommandLine line = new CommandLine(rns);
    for (String name : commands) {
      line.addSubcommand(name, Commands.make(name));
    }
    Ansi ansi = rns.terminal.isColoured() ? Ansi.ON : Ansi.OFF;
    return line.setExpandAtFiles(false)
        .setAllowSubcommandsAsOptionParameters(true)
        .setHelpFactory(OwnOptionsHelp::new)
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setOut(new PrintWriter(rns.terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(rns.terminal.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(rns::refuseUsage)
        .setExecutionExceptionHandler(rns::fail);
  }

  /**
   * The credential for some servers.
   *
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  CredentialSource credentials(List<URI> asked) {
    // Who names a certificate wants to be known by it.
    boolean onlyThese = root == null && certificate == null;
    return new CommandCredentials(terminal.environment(), tokenFile, output()::complain).of(asked, data, onlyThese);
  }

  /**
   * The bearer token of the command; empty if it has another credential, or none.
   *
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  Optional<String> bearerToken() {
    return new CommandCredentials(terminal.environment(), tokenFile, output()::complain).bearerToken();
  }

  /** The command with all subcommands, before any invocation. */
  static CommandLine model(Terminal terminal) {
    return commandLine(new RnsCommand(terminal), Commands.all());
  }

  private int refuseUsage(ParameterException error, String[] args) throws IOException {
    CommandLine command = error.getCommandLine();
    boolean noCommand = command.getParent() == null && error instanceof UnmatchedArgumentException;
    String message =
        noCommand
            ? "no command '" + ((UnmatchedArgumentException) error).getUnmatched().get(0) + "'"
            : String.valueOf(error.getMessage());
    // The parser may not have reached the option yet.
    Output complaint = new Output(terminal, List.of(args).contains("--json"));
    complaint.fail(new RnsException(RnsError.INVALID_REQUEST, message));
    complaint.finish();
    terminal.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  private int fail(Exception error, CommandLine command, ParseResult parsed) throws IOException {
    if (error instanceof Output.ReaderGoneException) {
      return ExitCode.DONE;
    }
    if (error instanceof RnsException known) {
      output().fail(known);
      output().finish();
      return ExitCode.of(known.error());
    }
    if (error instanceof IOException failure) {
      terminal.complain(reason(failure));
      return ExitCode.USAGE;
    }
    throw new IllegalStateException("a defect of rns", error);
  }

  /** Explains the error: messages of file systems are only names of files. */
  private static String reason(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof NoSuchFileException) {
      return "no file or directory '" + message + "'";
    }
    if (failure instanceof AccessDeniedException) {
      return "no access to '" + message + "'";
    }
    return failure instanceof FileSystemException ? "cannot use '" + message + "'" : message;
  }

  /** Whether the command prints a JSON document. */
  boolean isJson() {
    return json;
  }

  Terminal terminal() {
    return terminal;
  }

  /** The output of this invocation. */
  Output output() {
    if (output == null) {
      output = new Output(terminal, json);
    }
    return output;
  }

  /**
   * The servers to contact, from the first of: {@code --server}, the service on the data directory, {@code RNS_SERVER},
   * the service on {@code RNS_DATA}, the default.
   *
   * @throws UncheckedIOException if the {@code run.json} of a data directory is invalid
   */
  List<URI> servers() {
    if (servers.isEmpty() && data != null) {
      servers = running(data);
    }
    if (servers.isEmpty()) {
      servers = ofEnvironment();
    }
    return servers;
  }

  /** The data directory of {@code --data}; null if not given. */
  @Nullable
  Path data() {
    return data;
  }

  /** The file of {@code --token-file}, if given. */
  Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  /** The file of {@code --ca}, if given. */
  Optional<Path> ca() {
    return Optional.ofNullable(ca);
  }

  /**
   * The certificates accepted from HTTPS servers: those of {@code --ca} or {@code RNS_CA}, else those of the Java
   * installation and the certificate authority in the data directory; and the certificate to present to them.
   *
   * @throws RnsException if a file cannot be used
   */
  TlsTrust trust() {
    if (trust == null) {
      TlsTrust found = findTrust();
      trust = servers().stream().anyMatch(RnsCommand::isSecure)
          ? new CommandCertificate(terminal.environment(), certificate, key, Path.of("/tmp"), InstantSource.system())
              .find().map(found::presenting).orElse(found)
          : found;
    }
    return trust;
  }

  private TlsTrust findTrust() {
    String named = terminal.environment().getOrDefault("RNS_CA", "");
    if (ca != null || !named.isBlank()) {
      return TlsTrust.file(ca == null ? Path.of(named) : ca);
    }
    Path kept = (data == null ? Terminal.usualData(terminal.environment()) : data).resolve("tls/ca.pem");
    return servers().stream().anyMatch(RnsCommand::isSecure) && Files.isReadable(kept)
        ? TlsTrust.fileAndSystem(kept)
        : TlsTrust.SYSTEM;
  }

  private static boolean isSecure(URI server) {
    return "https".equalsIgnoreCase(server.getScheme());
  }

  private List<URI> ofEnvironment() {
    String named = terminal.environment().getOrDefault("RNS_SERVER", "");
    if (!named.isEmpty()) {
      List<URI> converted = new ArrayList<>();
      for (String one : named.split(",", -1)) {
        converted.add(new Converters.OfServer().convert(one.trim()));
      }
      return converted;
    }
    String directory = terminal.environment().getOrDefault("RNS_DATA", "");
    List<URI> running = directory.isBlank() ? List.of() : running(Path.of(directory));
    return running.isEmpty() ? List.of(URI.create(DEFAULT_SERVER)) : running;
  }

  private static List<URI> running(Path data) {
    try {
      return RunFile.in(data).servers();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** The consistency of reads. */
  Consistency consistency() {
    return consistency;
  }

  /** What reads must include. */
  Positions after() {
    return after == null ? Positions.NONE : after;
  }

  /** The dialect of the messages. */
  Dialect dialect() {
    if (dialect != null) {
      return dialect;
    }
    String named = terminal.environment().get("RNS_DIALECT");
    return named == null || named.isEmpty() ? Dialect.RNS_1_1 : new Converters.OfDialect().convert(named);
  }

  /** The root directory of {@code --root}, if given. */
  Optional<EndpointReference> root() {
    return Optional.ofNullable(root);
  }
}
