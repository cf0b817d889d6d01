package io.rns.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** All commands by name, in the order in which help lists them. */
final class Commands {
  private static final Map<String, Supplier<Object>> ALL = new LinkedHashMap<>();
  private static final Set<String> OF_ALL_WITH_VALUE =
      Set.of("--server", "--consistency", "--after", "--dialect", "--root");

  static {
    ALL.put("mkdir", MkdirCommand::new);
    ALL.put("add", AddCommand::new);
    ALL.put("ls", LsCommand::new);
    ALL.put("query", QueryCommand::new);
    ALL.put("update", UpdateCommand::new);
    ALL.put("mv", MvCommand::new);
    ALL.put("rm", RmCommand::new);
    ALL.put("tree", TreeCommand::new);
    ALL.put("find", FindCommand::new);
    ALL.put("import", ImportCommand::new);
    ALL.put("export", ExportCommand::new);
    ALL.put("backup", BackupCommand::new);
    ALL.put("restore", RestoreCommand::new);
    ALL.put("stat", StatCommand::new);
    ALL.put("explain", ExplainCommand::new);
    ALL.put("watch", WatchCommand::new);
    ALL.put("pool", PoolCommands::new);
    ALL.put("login", LoginCommand::new);
    ALL.put("logout", LogoutCommand::new);
    ALL.put("acl", AclCommands::new);
    ALL.put("ticket", TicketCommands::new);
    ALL.put("audit", AuditCommands::new);
    ALL.put("status", StatusCommand::new);
    ALL.put("referrals", ReferralsCommand::new);
    ALL.put("switchover", SwitchoverCommand::new);
    ALL.put("drain", DrainCommand::new);
    ALL.put("failover", FailoverCommand::new);
    ALL.put("join", JoinCommand::new);
    ALL.put("member", MemberCommands::new);
    ALL.put("partition", PartitionCommands::new);
    ALL.put("completion", CompletionCommand::new);
  }

  private Commands() {}

  /** Whether the help omits the command. */
  private static boolean isHidden(String name) {
    return name.equals(NamesCommand.NAME);
  }

  static Set<String> all() {
    return ALL.keySet();
  }

  static Object make(String name) {
    return isHidden(name) ? new NamesCommand() : ALL.get(name).get();
  }

  /** The command that the arguments name, else all commands. */
  static Iterable<String> named(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (OF_ALL_WITH_VALUE.contains(args[i])) {
        i++;
      } else if (!args[i].startsWith("-")) {
        return ALL.containsKey(args[i]) || isHidden(args[i]) ? List.of(args[i]) : all();
      }
    }
    return all();
  }
}
