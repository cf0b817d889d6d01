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

  @Parameters(paramLabel = "ADDRESS", description = "Address of the server, its RNS_SERVER_URL") private String address =
      "";

  /** The address, as a parameter of the request. */
  final String address() {
    return URLEncoder.encode(address, StandardCharsets.UTF_8);
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
