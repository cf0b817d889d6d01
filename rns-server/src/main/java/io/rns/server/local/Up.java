package io.rns.server.local;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns up}: runs the whole service on this machine until it is stopped. */
@Command(
    name = "rns up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs the whole service on this machine, with an embedded database, until Ctrl-C or './rns down'.",
      "It listens on 127.0.0.1 only."
    },
    footer = {
      "",
      "Examples:",
      "  ./rns up                                  on port 8080, data in ~/.rns",
      "  ./rns up --detach                         in the background",
      "  ./rns up --port 8090 --data /srv/rns      a second one beside it",
      "",
      "Exit codes: 0 stopped or (--detach) ready, 1 it could not start or go on, 2 usage."
    })
public final class Up implements Callable<Integer> {
  static final String READY = "RNS ready at ";
  private static final int USUAL_PORT = 8080;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + USUAL_PORT,
      description = "Port of HTTP (default: ${DEFAULT-VALUE}); 0 for any free port.")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory that keeps everything (default: RNS_DATA, or ~/.rns).")
  private @Nullable Path data;

  @Option(names = "--detach", description = "Return when it is ready; it goes on in the background.")
  private boolean detach;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "Largest heap of the server, such as 512m (default: ${DEFAULT-VALUE}).")
  private String heap = "1g";

  @Option(
      names = "--buffer-pool",
      paramLabel = "SIZE",
      defaultValue = "512m",
      description = "Memory of the database for its pages (default: ${DEFAULT-VALUE}).")
  private String bufferPool = "512m";

  @Option(names = "--yardstick", description = "Also deploy what './rns load' compares the service with, at /yardstick.")
  private boolean yardstick;

  @Option(names = "--json", description = "Print one JSON document when it is ready; progress goes to standard error.")
  private boolean json;

  /**
   * Runs the command.
   *
   * @param arguments of the command line, without {@code up}
   */
  public static void main(String[] arguments) {
    System.exit(CommandErrors.run(new Up(), arguments));
  }

  @Override
  public Integer call() {
    LocalService.Settings.check(port, heap, bufferPool);
    PrintStream progress = json ? System.err : System.out;
    DataDirectory directory = DataDirectory.create(dataPath());
    if (detach) {
      RunState state = Detached.start(directory, withoutDetach(directory), progress);
      if (json) {
        System.out.println(state.json());
      }
      return 0;
    }
    LocalInstallation installation = LocalInstallation.find();
    LocalService.Settings settings =
        new LocalService.Settings(
            directory.root(),
            port,
            heap,
            bufferPool,
            installation.war(),
            yardstick ? installation.yardstickWar() : null);
    // Not closed here: the JVM's end closes it, whatever brings that about.
    LocalService service = LocalService.start(settings, progress::println);
    System.out.println(json ? service.state().json() : ready(service.url()));
    String end = service.awaitEnd();
    if (end.equals(LocalService.STOPPED)) {
      return 0;
    }
    progress.println(end);
    return 1;
  }

  private Path dataPath() {
    return data == null ? DataDirectory.usual(System.getenv()) : data;
  }

  private List<String> withoutDetach(DataDirectory directory) {
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of(
                "--port=" + port, "--data=" + directory.root(), "--heap=" + heap, "--buffer-pool=" + bufferPool));
    if (yardstick) {
      arguments.add("--yardstick");
    }
    return arguments;
  }

  /** What the user gets to see when all is well. */
  private static String ready(String url) {
    String server = url.equals("http://127.0.0.1:" + USUAL_PORT + "/rns") ? "" : " --server " + url;
    return String.join(
        System.lineSeparator(),
        READY + url,
        "Try:",
        "  ./rns mkdir -p /demo/docs" + server,
        "  ./rns add /demo/docs/home https://www.rfc-editor.org/rfc/rfc2606" + server,
        "  ./rns tree /" + server);
  }
}
