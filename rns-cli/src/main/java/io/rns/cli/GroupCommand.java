package io.rns.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.TypeConversionException;

/** The shape of the commands that tell one server of a group to do something. */
@Command
abstract class GroupCommand extends ServiceCommand {
  @Mixin private OperatorOptions operator = new OperatorOptions();

  /** The server: a name or an address. */
  abstract String target();

  /** What is asked of it, below its address. */
  abstract String request();

  /** How long that may take. */
  abstract int timeoutMillis();

  /** Tells people what came of it. */
  abstract void show(FlatJson result, Map<String, String> addresses, Output output);

  @Override
  final @Nullable Path data() {
    return operator.data;
  }

  @Override
  final int run(NameService service, Output output) throws IOException {
    GroupAccess group = new GroupAccess(servers(), rns().terminal().environment(), operator.data);
    GroupSecret secret = group.secret(operator.secretFile).orElseThrow(() -> usage(group.missing()));
    Operator asking = new Operator(secret, rns().terminal());
    Map<String, String> addresses = addresses(group, asking);
    URI server = isAddress() ? member(group, addresses) : named(addresses);
    ServerDocument result = asking.ask("POST", server, "/group/" + request(), timeoutMillis());
    FlatJson told = result.json();
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      show(told, addresses, output);
    }
    return ExitCode.DONE;
  }

  /** The addresses of the group; none if nobody tells them and the server was named as one that is asked. */
  private Map<String, String> addresses(GroupAccess group, Operator asking) {
    try {
      return group.addresses(asking);
    } catch (RnsException e) {
      if (!isAddress() || e.error() == RnsError.NOT_PERMITTED) {
        throw e;
      }
      if (group.isNamed(address())) {
        return Map.of();
      }
      throw new RnsException(
          e.error(),
          "cannot tell whether " + target() + " is a server of the group: " + e.getMessage()
              + "; if it is one, ask it: --server " + target(),
          e);
    }
  }

  private boolean isAddress() {
    return target().contains("://");
  }

  private URI address() {
    try {
      return new Converters.OfServer().convert(target());
    } catch (TypeConversionException e) {
      throw usage("SERVER: " + e.getMessage());
    }
  }

  private URI member(GroupAccess group, Map<String, String> addresses) {
    URI server = address();
    if (!group.isNamed(server) && !GroupAccess.has(addresses, server)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the group has no server at " + target() + "; it has: " + String.join(", ", addresses.values()));
    }
    return server;
  }

  private URI named(Map<String, String> addresses) {
    String url = addresses.get(target());
    if (url == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the group has no server '" + target() + "'; it has: " + String.join(", ", addresses.keySet()));
    }
    return URI.create(url);
  }
}
