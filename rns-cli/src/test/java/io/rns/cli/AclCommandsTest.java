package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.ModelNameService;
import io.rns.client.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands of access rules, against a tree that stores them as any metadata. */
@Timeout(120)
class AclCommandsTest {
  private final CommandLineFixture rns = new CommandLineFixture(TestServer.start(new ModelNameService()));

  @BeforeEach
  void make() {
    rns.done("mkdir", "-p", "/cms/data");
    rns.done("acl", "set", "/", "anyone=list,read", "local:root=admin");
  }

  @AfterEach
  void stop() {
    rns.close();
  }

  @Test
  void aDirectoryWithoutRulesInheritsAndBeginsWithWhatItInherits() {
    assertThat(rns.lines("acl get /cms/data"))
        .containsExactly(
            "rules at:   /", "            anyone=list,read", "            local:root=admin");
    rns.done("acl", "set", "/cms", "group:local:cms=list,read,add", "anyone=");
    assertThat(rns.lines("acl get /cms/data"))
        .containsExactly(
            "rules at:   /cms", "            group:local:cms=list,read,add", "            local:root=admin");
    rns.done("acl", "set", "/cms", "--inherit");
    assertThat(rns.lines("acl get /cms/data").get(0)).isEqualTo("rules at:   /");
  }

  @Test
  void onlyTheGivenRulesAndTheOwnerRemain() {
    rns.done("update", "/cms", "--meta", "k=v");
    rns.done("acl", "set", "/cms", "--only", "--owner", "local:alice");
    Map<String, Object> document = rns.done("acl", "get", "/cms", "--json").json();
    assertThat(document).containsEntry("owner", "local:alice").containsEntry("rulesAt", "/cms")
        .containsEntry("inherited", "false").containsEntry("rules", List.of());
    assertThat(rns.lines("stat /cms")).anyMatch(line -> line.contains("k=v"));
    assertThat(rns.done("acl", "set", "/cms", "--owner", "", "--json").json()).containsEntry("owner", null);
  }

  @Test
  void whyNamesTheRuleAndTheDirectoryOfEachRight() {
    rns.done("acl", "set", "/cms", "--only", "--owner", "local:alice", "group:local:cms=list,read");
    assertThat(rns.lines("acl why /cms/data"))
        .allMatch(line -> line.matches("(list|read|add|change|remove|admin) +no +/cms: no rule"));
    assertThat(rns.lines("acl why /cms/data --as local:bob --group local:cms"))
        .startsWith("list    yes  /cms: group:local:cms=list,read", "read    yes  /cms: group:local:cms=list,read",
            "add     no   /cms: no rule");
    assertThat(rns.lines("acl why /cms/data --as local:alice")).allMatch(line -> line.endsWith("yes  /cms: owner"));
    assertThat(rns.lines("acl why / --as local:root").get(5)).isEqualTo("admin   yes  /: local:root=admin");
    Map<String, Object> document = rns.done("acl", "why", "/x/y", "--json").json();
    assertThat(document).containsEntry("caller", "anyone").containsEntry("path", "/x/y");
    assertThat(String.valueOf(document.get("rights"))).contains("right=list", "permitted=true", "why=anyone=list,read");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThat(rns.run("acl", "set", "/cms").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("acl", "set", "/cms", "--inherit", "anyone=read").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("acl", "set", "/cms", "anyone=fly").code()).isEqualTo(ExitCode.REFUSED);
    assertThat(rns.run("acl", "set", "/none", "anyone=read").code()).isEqualTo(ExitCode.REFUSED);
    assertThat(rns.run("acl", "why", "/", "--group", "g").code()).isEqualTo(ExitCode.USAGE);
    rns.done("add", "/j", "https://data.example.org/");
    assertThat(rns.run("acl", "set", "/j", "anyone=read").err()).contains("not a directory: /j");
  }
}
