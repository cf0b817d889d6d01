package io.rns.cli;

import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.TypeConversionException;

/** The shape of the commands that one server of a group carries out. */
@Command
abstract class GroupCommand extends ServiceCommand {
  @Mixin private OperatorOptions operator = new OperatorOptions();

  /** The server: a name or an address; empty for the first that reports the group. */
  abstract String target();

  /** The request, below the address of the server; {@code addresses} are those of the group, by name. */
  abstract String request(Map<String, String> addresses);

  /** The method of the request. */
  String method() {
    return "POST";
  }

  /** The time limit of the request. */
  abstract int timeoutMillis();

  /** Prints the result for people. */
  abstract void show(FlatJson result, Map<String, String> addresses, Output output);

  @Override
  final int run(NameService service, Output output) throws IOException {
    GroupAccess group = new GroupAccess(servers(), rns().terminal().environment(), rns().data());
    GroupSecret secret = group.secret(operator.secretFile).orElseThrow(() -> usage(group.missing()));
    Operator operating = new Operator(secret, rns().terminal(), rns().trust());
    GroupAccess.Destination to = destination(group, operating);
    ServerDocument result =
        operating.ask(method(), to.server(), "/group/" + request(to.addresses()), timeoutMillis());
    FlatJson document = result.json();
    if (output.isJson()) {
      output.json().copy(result.body());
    } else {
      show(document, to.addresses(), output);
    }
    return ExitCode.DONE;
  }

  private GroupAccess.Destination destination(GroupAccess group, Operator operating) {
    if (target().isEmpty()) {
      return group.first(operating);
    }
    Map<String, String> addresses = addresses(group, operating);
    return new GroupAccess.Destination(
        isAddress() ? member(group, addresses) : URI.create(named(target(), addresses)), addresses);
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

  /** The address of a server of the group by its name. */
  static String named(String name, Map<String, String> addresses) {
    String url = addresses.get(name);
    if (url == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the group has no server '" + name + "'; it has: " + String.join(", ", addresses.keySet()));
    }
    return url;
  }
}
