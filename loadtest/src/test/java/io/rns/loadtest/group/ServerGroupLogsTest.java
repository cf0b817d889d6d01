package io.rns.loadtest.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerGroupLogsTest {
  @TempDir private Path temporary;

  @Test
  void logsStayWhenTheGroupIsGone() throws Exception {
    Path launcher = temporary.resolve("rns");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        for argument; do case $argument in --data=*) data=${argument#--data=} ;; esac; done
        mkdir -p "$data/server-1/glassfish/logs"
        echo incident > "$data/server-1/glassfish/logs/server.log"
        echo secret > "$data/group.secret"
        """);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Path kept;
    try (ServerGroup group = ServerGroup.start(launcher, GroupLayout.of(2))) {
      kept = group.keepLogs();
    }
    Path log = kept.resolve("server-1/glassfish/logs/server.log");
    assertThat(log).hasContent("incident");
    assertThat(kept.resolve("group.secret")).doesNotExist();
    for (Path path = log; !path.equals(kept.getParent()); path = path.getParent()) {
      Files.delete(path);
    }
  }
}
