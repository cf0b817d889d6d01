package io.rns.loadtest.work;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Draws what one client asks for. It changes nothing but what it has added itself, so clients do not get into each
 * other's way, and an operation that fails fails by fault of the service. For one thread.
 */
public final class WorkloadCaller implements CallSource {
  private static final int MOST_OWN = 1_000;

  private final Supplier<Kind> kinds;
  private final Places places;
  private final Keys.Choice choice;
  private final SplittableRandom random;
  private final String prefix;
  private final int fewestOwn;
  private final Deque<String> own = new ArrayDeque<>();
  private long made;

  /** The caller of one client; nobody else gives names with its prefix. */
  public WorkloadCaller(Mix mix, Places places, Keys.Choice choice, String prefix, long seed) {
    this(mix, places, choice, prefix, seed, 1);
  }

  /**
   * The caller of one client; nobody else gives names with its prefix.
   *
   * @param fewestOwn how many entries it adds before it changes one; it changes them in turn
   */
  public WorkloadCaller(
      Mix mix, Places places, Keys.Choice choice, String prefix, long seed, int fewestOwn) {
    this.fewestOwn = fewestOwn;
    this.places = places;
    this.choice = choice;
    this.prefix = prefix;
    random = new SplittableRandom(seed);
    kinds = mix.kinds(random);
  }

  /** The next operation; one that needs entries of the client's own adds them first. Never null. */
  @Override
  public Call next() {
    Kind drawn = kinds.get();
    Kind kind = drawn.needsOwn() && own.size() < fewestOwn ? Kind.ADD : drawn;
    return switch (kind) {
      case QUERY -> Call.of(kind, somewhere());
      case LIST, WATCH -> Call.of(kind, Call.directoryOf(somewhere()));
      case ADD, MKDIR -> Call.of(kind, newPath());
      case UPDATE, REMOVE -> Call.of(kind, own.getFirst());
      case MOVE -> new Call(kind, own.getFirst(), newPath());
    };
  }

  /** Forgets an entry whose change failed: it may have been made all the same. */
  @Override
  public void done(Call call, boolean succeeded) {
    if (call.kind().needsOwn()) {
      own.removeFirst();
    }
    if (succeeded) {
      switch (call.kind()) {
        case ADD, UPDATE -> keep(call.path());
        case MOVE -> keep(call.to());
        case QUERY, LIST, MKDIR, REMOVE, WATCH -> {
        }
      }
    }
  }

  private void keep(String path) {
    if (own.size() < MOST_OWN) {
      own.addLast(path);
    }
  }

  private String somewhere() {
    return places.junction(choice.draw(random));
  }

  private String newPath() {
    return Call.directoryOf(somewhere()) + "/" + prefix + made++;
  }
}
