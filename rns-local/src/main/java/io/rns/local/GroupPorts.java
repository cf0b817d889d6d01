package io.rns.local;

/**
 * The ports of groups on 127.0.0.1, each the first of a range.
 *
 * @param servers HTTP ports of the servers of all groups: server n has the n-th of the range; 0 for any free ports
 * @param databases ports of their databases, in the same order; 0 for any free ports
 * @param proxies ports by which servers and databases reach each other, if there are proxies in between: server n at
 *        the (2n-1)-th, its database at the 2n-th; 0 without proxies
 */
public record GroupPorts(int servers, int databases, int proxies) {
  /** Any free ports, without proxies. */
  public static final GroupPorts ANY = new GroupPorts(0, 0, 0);

  /** Validates the ports before anything is started; errors name the option. */
  void check(int groups, int replicas) {
    int all = groups * (replicas + 1);
    Row[] rows = {
        new Row("--port", servers, all),
        new Row("--database-port", databases, all),
        new Row("--proxy-port", proxies, 2 * all)
    };
    String with =
        groups == 1 ? "--replicas " + replicas
            : "--groups " + groups + (replicas == 0 ? "" : " --replicas " + replicas);
    for (int i = 0; i < rows.length; i++) {
      rows[i].check(with);
      for (int j = 0; j < i; j++) {
        rows[i].checkApart(rows[j]);
      }
    }
  }

  /** The port of a database; 0 for any free one. */
  int database(int number) {
    return databases == 0 ? 0 : databases + number - 1;
  }

  /** The port by which other servers reach a server that listens on {@code own}. */
  int known(int number, int own) {
    return proxies == 0 ? own : proxies + 2 * (number - 1);
  }

  /** The port by which other databases reach a database that listens on {@code own}. */
  int knownDatabase(int number, int own) {
    return proxies == 0 ? own : proxies + 2 * number - 1;
  }

  /** Consecutive ports. */
  private record Row(String option, int first, int length) {
    void check(String with) {
      if (first < 0 || first > Ports.LARGEST) {
        throw new IllegalArgumentException(option + " must be from 0 to " + Ports.LARGEST + ", not " + first);
      }
      if (first + length - 1 > Ports.LARGEST) {
        throw new IllegalArgumentException(
            option + " must be at most " + (Ports.LARGEST - length + 1) + " with " + with + ", not "
                + first);
      }
    }

    void checkApart(Row other) {
      boolean apart =
          first == 0 || other.first == 0 || first >= other.first + other.length || other.first >= first + length;
      if (!apart) {
        throw new IllegalArgumentException(
            option + " takes the ports " + this + ", " + other.option + " takes " + other
                + "; they must not overlap");
      }
    }

    @Override
    public String toString() {
      return first + " to " + (first + length - 1);
    }
  }
}
