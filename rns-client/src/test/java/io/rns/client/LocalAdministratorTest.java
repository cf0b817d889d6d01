package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.client.call.ExchangeFailure;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administrator's password goes to processes of its owner only. */
class LocalAdministratorTest {
  private static final String HEADER = CredentialFile.basic("admin:word");
  private static final URI SERVER = URI.create("http://127.0.0.1:8091/rns/services/rns");
  private static final int PORT = 8091;
  private static final String LISTENING = "0A";
  private static final String ESTABLISHED = "01";

  @TempDir private Path directory;
  private Path file;
  private int own;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("administrator"), "admin:word\n");
    own = (Integer) Files.getAttribute(file, "unix:uid");
  }

  /** A socket as a line of a table of the kernel. */
  private static String socket(String address, int port, String state, int user) throws IOException {
    byte[] bytes = address.equals("::ffff:127.0.0.1")
        ? new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 127, 0, 0, 1}
        : InetAddress.getByName(address).getAddress();
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    StringBuilder digits = new StringBuilder();
    while (words.hasRemaining()) {
      digits.append(String.format("%08X", words.getInt()));
    }
    return String.format(
        "   0: %s:%04X 00000000:0000 %s 00000000:00000000 00:00000000 00000000 %5d        0 81077 1 0 100 0 0 10 0",
        digits, port, state, user);
  }

  private PortOwners tables(List<String> ipv4, List<String> ipv6) throws IOException {
    String title = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
    Files.writeString(directory.resolve("tcp"), title + String.join("\n", ipv4) + "\n");
    Files.writeString(directory.resolve("tcp6"), title + String.join("\n", ipv6) + "\n");
    return new PortOwners(directory);
  }

  private Optional<String> sent(URI server, PortOwners owners) {
    return new LocalAdministrator(file, address -> Optional.empty(), owners).authorization(server, Optional.empty());
  }

  private void refused(PortOwners owners, String why) {
    assertThatThrownBy(() -> sent(SERVER, owners))
        .isInstanceOfSatisfying(
            RnsException.class,
            e -> {
              assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE);
              assertThat(ExchangeFailure.leftNothing(e)).as("a write may go to another server").isTrue();
            })
        .hasMessageContainingAll("the password in " + file + " is not sent to 127.0.0.1:8091: ", why)
        .message().doesNotContain("word\n", "admin:word");
  }

  @Test
  void aPortThatAnotherUserHasTakenGetsNoPassword() throws IOException {
    int other = own + 1;
    assertThat(sent(SERVER, tables(List.of(socket("127.0.0.1", PORT, LISTENING, own)), List.of()))).contains(HEADER);
    refused(tables(List.of(socket("127.0.0.1", PORT, LISTENING, other)), List.of()), "a process of another user");
    refused(tables(List.of(), List.of(socket("::ffff:127.0.0.1", PORT, LISTENING, other))),
        "a process of another user");
    refused(tables(List.of(socket("0.0.0.0", PORT, LISTENING, other)), List.of()), "a process of another user");
    refused(tables(List.of(), List.of(socket("::", PORT, LISTENING, other))), "a process of another user");
    refused(
        tables(
            List.of(socket("127.0.0.1", PORT, LISTENING, own)),
            List.of(socket("::ffff:127.0.0.1", PORT, LISTENING, other))),
        "a process of another user");
  }

  @Test
  void onlyWhatListensAtTheAddressCounts() throws IOException {
    int other = own + 1;
    PortOwners exact =
        tables(
            List.of(
                socket("127.0.0.1", PORT + 1, LISTENING, other), socket("127.0.0.1", PORT, ESTABLISHED, other),
                socket("127.0.0.2", PORT, LISTENING, other), socket("0.0.0.0", PORT, LISTENING, other)),
            List.of(socket("::1", PORT, LISTENING, other), socket("::ffff:127.0.0.1", PORT, LISTENING, own)));
    assertThat(exact.of(PORT)).contains(Set.of(own));
    assertThat(sent(SERVER, exact)).contains(HEADER);
    refused(tables(List.of(socket("127.0.0.1", PORT, ESTABLISHED, own)), List.of()), "nothing listens there");
  }

  @Test
  void httpsProvesWhoAnswers() throws IOException {
    PortOwners nobody = tables(List.of(), List.of());
    assertThat(sent(URI.create("https://127.0.0.1:8091/rns"), nobody)).contains(HEADER);
    assertThatThrownBy(() -> sent(URI.create("http://rns.example.org:8091/rns"), nobody))
        .hasMessageContaining("plain HTTP to another host");
  }

  @Test
  void withoutTablesTheProcessOfTheServiceHasToRun() {
    PortOwners unknown = new PortOwners(directory.resolve("none"));
    refused(unknown, "does not report who listens there");
    LocalAdministrator running =
        new LocalAdministrator(file, server -> Optional.of(ProcessHandle.current().pid()), unknown);
    assertThat(running.authorization(SERVER, Optional.empty())).contains(HEADER);
    LocalAdministrator ended = new LocalAdministrator(file, server -> Optional.of(Long.MAX_VALUE), unknown);
    assertThatThrownBy(() -> ended.authorization(SERVER, Optional.empty())).isInstanceOf(RnsException.class);
  }

  @Test
  void theKernelReportsWhoListensHere() throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(PortOwners.SYSTEM.of(listening.getLocalPort())).contains(Set.of(own));
    }
  }
}
