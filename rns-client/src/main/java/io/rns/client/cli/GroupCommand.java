package io.rns.client.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The shape of the commands that tell one server of a group to do something. */
@Command
abstract class GroupCommand extends ServiceCommand {
  private static final String SECRET_HEADER = "X-RNS-Secret";

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "A file with the group's secret; default: $RNS_GROUP_SECRET, or that of the data directory")
  private @Nullable Path secretFile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of a group on this machine; default: $RNS_DATA, or ~/.rns")
  private @Nullable Path data;

  /** The server: a name or an address. */
  abstract String target();

  /** What is asked of it, below its address. */
  abstract String request();

  /** How long that may take. */
  abstract int timeoutMillis();

  /** Tells people what came of it. */
  abstract void show(FlatJson result, Map<String, String> addresses, Output output);

  @Override
  final int run(NameService service, Output output) throws IOException {
    GroupAccess group = new GroupAccess(servers(), rns().terminal().environment(), data);
    String secret = group.secret(secretFile).orElseThrow(() -> usage(group.missing()));
    Map<String, String> addresses = addresses(group);
    URI server = server(addresses);
    ServerDocument result =
        ServerDocument.post(server, "/group/" + request(), Map.of(SECRET_HEADER, secret), timeoutMillis()).orThrow();
    FlatJson told = result.json();
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      show(told, addresses, output);
    }
    return ExitCode.DONE;
  }

  /** A server named by its address needs nobody else to answer. */
  private Map<String, String> addresses(GroupAccess group) {
    try {
      return group.addresses();
    } catch (RnsException e) {
      if (isAddress()) {
        return Map.of();
      }
      throw e;
    }
  }

  private boolean isAddress() {
    return target().contains("://");
  }

  private URI server(Map<String, String> addresses) {
    String named = target();
    try {
      if (isAddress()) {
        return new Converters.OfServer().convert(named);
      }
    } catch (TypeConversionException e) {
      throw usage("SERVER: " + e.getMessage());
    }
    String url = addresses.get(named);
    if (url == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "the group has no server '" + named + "'; it has: " + String.join(", ", addresses.keySet()));
    }
    return URI.create(url);
  }
}
