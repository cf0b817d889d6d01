package io.rns.loadtest.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.error.RnsException;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a load expects of a peer, of those that are on this machine: {@code docker/peer-debian.sh} brings programs of
 * Debian.
 */
@Timeout(120)
@Tag("server")
public class PeerServiceTest {
  @TempDir private Path directory;

  @Test
  void zooKeeper() throws InterruptedException {
    try (PeerService peer = ZooKeeperPeer.start(directory)) {
      keepsATree(peer);
    }
  }

  @Test
  void openLdap() throws InterruptedException {
    Programs programs = unpacked("slapd");
    try (PeerService peer = OpenLdapPeer.start(directory, programs)) {
      keepsATree(peer);
    }
  }

  @Test
  void etcd() throws InterruptedException {
    Programs programs = unpacked("etcd");
    try (PeerService peer = EtcdPeer.start(directory, programs)) {
      keepsATree(peer);
    }
  }

  /** Nothing is fetched for a test. */
  private static Programs unpacked(String program) {
    Path cache = Path
        .of(Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse(System.getProperty("user.home") + "/.cache"));
    assumeTrue(Files.isExecutable(cache.resolve("rns/" + program + "-debian/run")),
        () -> program + " is not here: docker/peer-debian.sh " + program);
    return new Programs(Optional.of(Path.of("../docker/peer-debian.sh").toAbsolutePath()));
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    assertThatThrownBy(() -> EtcdPeer.start(directory, new Programs(Optional.empty()))).isInstanceOf(RnsException.class)
        .hasMessageContaining("etcd");
    Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\necho no $1 to be had >&2\nexit 1\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    assertThatThrownBy(() -> OpenLdapPeer.start(directory, new Programs(Optional.of(script))))
        .isInstanceOf(RnsException.class)
        .hasMessage("no slapd to be had");
  }

  @Test
  void tellsWhyAServerEndsAtOnce() throws IOException {
    Path root = Files.createDirectory(directory.resolve("root"));
    Path run = Files.writeString(root.resolve("run"), "#!/bin/sh\necho cannot open the books >&2\nexit 1\n");
    assertThat(run.toFile().setExecutable(true)).isTrue();
    Files.writeString(root.resolve("VERSION"), "1\n");
    Path script = Files.writeString(directory.resolve("script"), "#!/bin/sh\necho '" + root + "'\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    assertThatThrownBy(() -> EtcdPeer.start(directory, new Programs(Optional.of(script))))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("cannot open the books");
  }

  /** Adds, lists and looks up, over two connections, and is refused what must be. */
  public static void keepsATree(PeerService peer) {
    assertThat(peer.durability()).isNotBlank();
    try (Session writer = peer.session();
        Session reader = peer.session()) {
      for (String made : new String[]{"/top", "/top/d0", "/top/d0/f1", "/top/d1"}) {
        assertThat(tried(writer, Kind.MKDIR, made)).as(made).isNull();
      }
      for (int number = 0; number < 3; number++) {
        assertThat(tried(writer, Kind.ADD, "/top/d0/f1/e" + number)).isNull();
      }
      assertThat(tried(reader, Kind.QUERY, "/top/d0/f1/e1")).isNull();
      assertThat(tried(reader, Kind.LIST, "/top/d0/f1")).isNull();
      assertThat(tried(reader, Kind.QUERY, "/top/d0/f1/e3")).as("never added").isNotNull();
      assertThat(tried(reader, Kind.QUERY, "/top/d1/e1")).as("in another directory").isNotNull();
      assertThat(tried(reader, Kind.LIST, "/top/d1")).as("empty").isNotNull();
      assertThat(tried(writer, Kind.ADD, "/top/d0/f1/e1")).as("added twice").isNotNull();
      assertThat(tried(writer, Kind.ADD, "/top/d1/e1")).as("after a refusal").isNull();
      assertThat(tried(reader, Kind.QUERY, "/top/d1/e1")).isNull();
      assertThatThrownBy(() -> reader.prepare(Call.of(Kind.REMOVE, "/top/d0/f1/e1")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static @Nullable Object tried(Session session, Kind kind, String path) {
    session.prepare(Call.of(kind, path));
    return session.perform();
  }
}
