package io.rns.loadtest.chapter;

import java.util.List;

/** One server against yardsticks on the same machine. */
final class SingleServer implements Chapter {
  private static final String RATE = "/throughput";
  private static final String ITEMS = "/itemsPerSecond";

  @Override
  public String name() {
    return "single";
  }

  @Override
  public String title() {
    return "One server and its yardsticks";
  }

  @Override
  public String why() {
    return """
        What a server makes of its machine: its rates beside those of [yardsticks](load.md#yardsticks) that were
        asked in turns with it, a servlet and a JAX-WS operation that do nothing in the same application server, and
        single statements on the same database. The ratios carry over to other machines better than the rates do.""";
  }

  @Override
  public List<Step> steps(Length length) {
    String turns =
        length.of("--seconds 7.5 --rounds 3 --warm-up 8", "--seconds 0.2 --rounds 1 --warm-up 0") + " --json";
    String shorter =
        length.of("--seconds 6 --rounds 3 --warm-up 8", "--seconds 0.2 --rounds 1 --warm-up 0") + " --json";
    String alone = length.of("--seconds 3 --rounds 3 --warm-up 5", "--seconds 0.2 --rounds 1 --warm-up 0")
        + " --no-yardsticks --json";
    String warm = length.of("--seconds 1 --rounds 1 --warm-up 25", "--seconds 0.2 --rounds 1 --warm-up 0")
        + " --no-yardsticks --json";
    return List.of(
        Step.up("./rns up --yardstick --port 0 --detach --json"),
        new Step("warm", "./rns load --op query --clients 12 " + warm),
        new Step("query", "./rns load --op query --clients 12 " + turns),
        new Step("nothing", "./rns load --op query --clients 12 --target none " + alone),
        new Step("socket", "./rns load --op query --clients 12 --target socket " + alone),
        new Step("client", "./rns load --op query --via client --clients 12 " + turns),
        new Step("query-batch", "./rns load --op query-batch --clients 12 " + shorter),
        new Step("add", "./rns load --op add --clients 64 " + turns),
        new Step("add-batch", "./rns load --op add-batch --clients 12 " + shorter),
        new Step("lookup", "./rns load --op lookup --clients 12 " + shorter),
        new Step("lookup-batch", "./rns load --op lookup-batch --clients 12 " + shorter),
        new Step(
            "listing",
            "./rns load --op listing --clients 1 " + length.of("--seconds 8", "--seconds 5 --warm-up 0")
                + " --rounds 1 --json"));
  }

  @Override
  public void write(Volume volume, Page page) {
    Results results = volume.of(name());
    Bars bars = new Bars();
    against(bars, results, "query of one path of depth 4, 12 clients", 1.3, "query", "nullOperation");
    against(bars, results, "query of one path of depth 4, 12 clients; aim 0.8 x", 0.65, "query", "echo");
    against(bars, results, "query of one path through the Java client, 12 clients", 0.6, "client", "raw");
    against(bars, results, "query of 100 paths per request, 12 clients", 10, "query-batch", "query");
    against(bars, results, "add of one entry, durable, 64 clients, one directory; aim 1.5 x", 0.8, "add", "jdbcInsert");
    against(bars, results, "add of 100 entries per request, durable, 12 clients", 4, "add-batch", "jdbcInsert");
    against(bars, results, "lookup of one name by RNS 1.1, 12 clients", 0.95, "lookup", "query");
    double lookups = results.number("lookup-batch", ITEMS);
    bars.atLeast("lookup of 1,000 names by RNS 1.1, 12 clients", "100,000/s", 100_000, lookups,
        Numbers.perSecond(lookups));
    bars.told(
        "list of 100,000 entries by RNS 1.1 and WS-Iterator, through the Java client",
        Numbers.perSecond(results.number("listing", ITEMS)));
    double times = results.number("nothing", RATE) / results.number("query", RATE);
    bars.atLeast("the generator by itself (`--target none`), 12 clients", "3 x the server", 3, times,
        rate(results, "nothing") + ": " + Numbers.times(times));
    bars.told(
        "the generator against a process that answers at once and does nothing else (`--target socket`), 12 clients",
        rate(results, "socket"));
    page.bars(bars).paragraph("Of requests with many paths or entries, these are counted.");
  }

  private static String rate(Results results, String label) {
    return Numbers.perSecond(results.number(label, RATE));
  }

  /** A rate that is to be at least so many times a yardstick's. */
  private static void against(Bars bars, Results results, String work, double least, String label, String yardstick) {
    double ratio = results.number(label, "/yardsticks/" + yardstick + "/ratio");
    double items = results.number(label, ITEMS);
    String rate = Numbers.perSecond(Double.isFinite(items) ? items : results.number(label, RATE));
    bars.atLeast(work, Numbers.plain(least) + " x `" + yardstick + "`", least, ratio,
        rate + ": " + Numbers.times(ratio));
  }
}
