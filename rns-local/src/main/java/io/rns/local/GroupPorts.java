package io.rns.local;

/**
 * The ports of a group on 127.0.0.1, each the first of a row.
 *
 * @param servers HTTP of the servers: server n has the n-th from here on; 0 for any free ports
 * @param databases their databases in the same way; 0 for any free ports
 * @param proxies by which the servers and databases know each other, when something stands between them: server n by
 *        the (2n-1)-th, its database by the 2n-th; 0 if nothing does
 */
public record GroupPorts(int servers, int databases, int proxies) {
  /** Any free ports, and nothing in between. */
  public static final GroupPorts ANY = new GroupPorts(0, 0, 0);

  /** Refuses what does not fit, naming the option, before anything is started. */
  void check(int replicas) {
    Row[] rows = {
        new Row("--port", servers, replicas + 1),
        new Row("--database-port", databases, replicas + 1),
        new Row("--proxy-port", proxies, 2 * (replicas + 1))
    };
    for (int i = 0; i < rows.length; i++) {
      rows[i].check(replicas);
      for (int j = 0; j < i; j++) {
        rows[i].checkApart(rows[j]);
      }
    }
  }

  /** The port of a database; 0 for any free one. */
  int database(int number) {
    return databases == 0 ? 0 : databases + number - 1;
  }

  /** The port by which the others know a server that listens on {@code own}. */
  int known(int number, int own) {
    return proxies == 0 ? own : proxies + 2 * (number - 1);
  }

  /** The port by which the others know a database that listens on {@code own}. */
  int knownDatabase(int number, int own) {
    return proxies == 0 ? own : proxies + 2 * number - 1;
  }

  /** Ports one behind the other. */
  private record Row(String option, int first, int length) {
    void check(int replicas) {
      if (first < 0 || first > Ports.LARGEST) {
        throw new IllegalArgumentException(option + " is from 0 to " + Ports.LARGEST + "; it was " + first);
      }
      if (first + length - 1 > Ports.LARGEST) {
        throw new IllegalArgumentException(
            option + " is at most " + (Ports.LARGEST - length + 1) + " with --replicas " + replicas + "; it was "
                + first);
      }
    }

    void checkApart(Row other) {
      boolean apart =
          first == 0 || other.first == 0 || first >= other.first + other.length || other.first >= first + length;
      if (!apart) {
        throw new IllegalArgumentException(
            option + " takes the ports " + this + ", " + other.option + " takes " + other
                + ": they have to be different");
      }
    }

    @Override
    public String toString() {
      return first + " to " + (first + length - 1);
    }
  }
}
