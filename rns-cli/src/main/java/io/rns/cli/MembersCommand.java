package io.rns.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The shape of the commands that change the list of members. */
@Command
abstract class MembersCommand extends GroupCommand {
  /** Longer than the primary waits for the acknowledgement. */
  private static final int TIMEOUT_MILLIS = 60_000;

  @Parameters(paramLabel = "SERVER", description = "Address of the server, its RNS_SERVER_URL; of a known server also its name, as status shows it") private String server =
      "";

  /** The address of the server, as a parameter of the request. */
  final String address(Map<String, String> addresses) {
    return URLEncoder.encode(server.contains("://") ? server : named(server, addresses), StandardCharsets.UTF_8);
  }

  @Override
  final String target() {
    return "";
  }

  @Override
  final int timeoutMillis() {
    return TIMEOUT_MILLIS;
  }

  @Override
  final void show(FlatJson result, Map<String, String> addresses, Output output) {
    result.list("members").forEach(member -> output.line("member:    " + member.getOrDefault("url", "")));
  }
}
