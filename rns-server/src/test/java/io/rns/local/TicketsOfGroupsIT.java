package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.local.LocalCommand.Printed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets at the servers of two closed groups with one root. */
@Tag("slow")
@Tag("long")
class TicketsOfGroupsIT {
  private static final int NOT_PERMITTED = 4;

  @TempDir private Path temporary;

  private static String url(LocalGroup groups, int server) {
    return groups.members().get(server - 1).url();
  }

  private Printed as(String token, LocalGroup groups, int server, String... words) {
    try {
      Path file = Files.writeString(temporary.resolve("token"), token);
      String[] all = List.of(words).toArray(new String[words.length + 2]);
      all[words.length] = "--token-file";
      all[words.length + 1] = file.toString();
      return LocalCommand.run(temporary.resolve("data"), url(groups, server), all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTicketIsGoodAtAllGroupsUntilItIsRevokedAtAny() {
    Path data = temporary.resolve("data");
    DataDirectory.create(data).secure();
    try (LocalGroup groups =
        LocalGroup.start(
            new LocalGroup.Settings(
                data, GroupPorts.ANY, 2, 0, "256m", "64M", LocalInstallation.find().war(), null,
                LocalDatabases.EMBEDDED),
            line -> {})) {
      for (String command : List.of("mkdir /cut", "partition assign /cut --to 1", "mkdir /cut/below")) {
        JsonNode unused = LocalCommand.json(data, url(groups, 1), command.split(" "));
      }
      for (int made = 1; made <= 2; made++) {
        JsonNode ticket =
            LocalCommand.json(
                data, url(groups, made), "ticket", "make", "/cut", "--rights", "list,read,add", "--for", "5m");
        String token = ticket.path("token").asText();
        for (int server = 1; server <= 2; server++) {
          int there = server;
          Eventually.holds(
              "the ticket of server " + made + " is good at server " + server,
              () -> as(token, groups, there, "ls", "/cut").exitCode() == 0);
          assertThat(as(token, groups, there, "mkdir", "/cut/" + made + "-" + server).exitCode()).isZero();
          assertThat(as(token, groups, there, "rm", "/cut/below").exitCode()).isEqualTo(NOT_PERMITTED);
        }
        JsonNode unused =
            LocalCommand.json(data, url(groups, 3 - made), "ticket", "revoke", ticket.path("id").asText());
        for (int server = 1; server <= 2; server++) {
          int there = server;
          Eventually.holds(
              "the ticket is good no more at server " + server,
              () -> as(token, groups, there, "ls", "/cut").exitCode() == NOT_PERMITTED);
        }
      }
      // A new root key ends all of them.
      String token =
          LocalCommand.json(data, url(groups, 1), "ticket", "make", "/cut", "--rights", "list").path("token").asText();
      JsonNode unused = LocalCommand.json(data, url(groups, 2), "ticket", "revoke", "--all");
      for (int server = 1; server <= 2; server++) {
        int there = server;
        Eventually.holds("the key is good no more",
            () -> as(token, groups, there, "ls", "/cut").exitCode() == NOT_PERMITTED);
      }
    }
  }
}
