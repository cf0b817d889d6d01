package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryLogFilesTest {
  @TempDir Path data;

  @Test
  void tablesWithoutALogGetAnOriginOfTheirOwn() throws IOException {
    createTable();
    log().begin();
    String origin = state();
    assertThat(origin).matches("0-[0-9]{5,10}-1\n");
    log().begin();
    assertThat(state()).as("the server has not started since").isEqualTo(origin);
    log().delete();
    log().begin();
    assertThat(state()).as("another copy of the same tables").matches("0-[0-9]{5,10}-1\n").isNotEqualTo(origin);
  }

  @Test
  void anEmptyDatabaseHasNoTransactions() throws IOException {
    log().begin();
    Files.createDirectory(data.resolve("rns"));
    log().begin();
    assertThat(data.resolve("binlog.state")).doesNotExist();
  }

  @Test
  void aLogGoesOn() throws IOException {
    createTable();
    Files.writeString(data.resolve("binlog.index"), "./binlog.000001\n");
    assertThat(log().exists()).isTrue();
    log().begin();
    assertThat(data.resolve("binlog.state")).doesNotExist();
  }

  /**
   * Of an old log, the index goes before the log; the state before the index, since it would be taken for a new one.
   */
  @Test
  void remainsOfAnInterruptedDeletionAreDeleted() throws IOException {
    createTable();
    for (String name : new String[]{"binlog.000001", "binlog.000001.idx", "binlog.state.new"}) {
      Files.writeString(data.resolve(name), "old");
    }
    Files.createFile(data.resolve("binlog.state"));
    assertThat(log().exists()).isFalse();
    log().begin();
    try (var files = Files.list(data)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("rns", "binlog.state");
    }
    assertThat(state()).startsWith("0-");
  }

  private BinaryLogFiles log() {
    return new BinaryLogFiles(data);
  }

  private String state() throws IOException {
    return Files.readString(data.resolve("binlog.state"));
  }

  private void createTable() throws IOException {
    Files.createDirectory(data.resolve("rns"));
    Files.createFile(data.resolve("rns/server_group.ibd"));
  }
}
