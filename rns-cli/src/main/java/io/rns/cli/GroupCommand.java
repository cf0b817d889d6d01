package io.rns.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.TypeConversionException;

/** The shape of the commands that one server of a group carries out. */
@Command
abstract class GroupCommand extends ServiceCommand {
  @Mixin private OperatorOptions operator = new OperatorOptions();

  /** The server: a name or an address; empty for the first that answers. */
  abstract String target();

  /** The request, below the address of the server. */
  abstract String request();

  /** The method of the request. */
  String method() {
    return "POST";
  }

  /** The time limit of the request. */
  abstract int timeoutMillis();

  /** Prints the result for people. */
  abstract void show(FlatJson result, Map<String, String> addresses, Output output);

  @Override
  final @Nullable Path data() {
    return operator.data;
  }

  @Override
  final int run(NameService service, Output output) throws IOException {
    GroupAccess group = new GroupAccess(servers(), rns().terminal().environment(), operator.data);
    GroupSecret secret = group.secret(operator.secretFile).orElseThrow(() -> usage(group.missing()));
    Operator operating = new Operator(secret, rns().terminal());
    Map<String, String> addresses = addresses(group, operating);
    ServerDocument result = target().isEmpty()
        ? askAny(operating, group.ofOneGroup(addresses))
        : ask(operating, isAddress() ? member(group, addresses) : named(addresses));
    FlatJson document = result.json();
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      show(document, addresses, output);
    }
    return ExitCode.DONE;
  }

  private ServerDocument ask(Operator operating, URI server) {
    return operating.ask(method(), server, "/group/" + request(), timeoutMillis());
  }

  private ServerDocument askAny(Operator operating, List<String> addresses) {
    RnsException failure =
        new RnsException(RnsError.UNAVAILABLE, "no server of the group is known; name one by --server");
    for (String address : addresses) {
      try {
        return ask(operating, URI.create(address));
      } catch (RnsException e) {
        if (e.error() != RnsError.UNAVAILABLE) {
          throw e;
        }
        failure = e;
      }
    }
    throw failure;
  }

  /** The addresses of the group; none if no server reports them and {@code --server} lists the target. */
  private Map<String, String> addresses(GroupAccess group, Operator operating) {
    try {
      return group.addresses(operating);
    } catch (RnsException e) {
      if (!isAddress() || e.error() == RnsError.NOT_PERMITTED) {
        throw e;
      }
      if (group.isNamed(address())) {
        return Map.of();
      }
      throw new RnsException(
          e.error(),
          "cannot verify that " + target() + " is a server of the group: " + e.getMessage()
              + "; if it is one, add --server " + target(),
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
