package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed server permits what a model of the access rules permits, and nothing else. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessEnforcementTest {
  private static final String ADMIN = "local:admin";
  private static final AccessPolicy CLOSED = new AccessPolicy(AccessMode.CLOSED, Set.of(ADMIN));
  private static final List<Caller> CALLERS =
      List.of(
          new Caller("local:alice", Set.of("/a", "/b")), new Caller("local:bob", Set.of("/b")), Caller.ANONYMOUS,
          new Caller(ADMIN, Set.of()));
  private static final List<String> SUBJECTS =
      List.of("local:alice", "local:bob", "group:/a", "group:/b", "authenticated", "anyone");
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("https://data.example.org/f");
  private static final CallContext SERVICE = CallContext.SERVICE;
  private static final String NEW = "new";

  private static Database database;
  private static LocalNameService service;

  /** The meaning of the rules: directories by path, texts for everything, no cleverness. */
  private static final class Model {
    final Map<String, String> owners = new HashMap<>();
    final Map<String, Set<AccessRule>> rules = new HashMap<>();
    final Set<String> directories = new TreeSet<>();
    final Set<String> junctions = new TreeSet<>();
    final Map<String, EntryId> ids = new TreeMap<>();

    /** The directory whose rules hold. */
    String source(String directory) {
      String at = directory;
      while (!rules.containsKey(at) && !at.equals("/")) {
        at = parent(at);
      }
      return at;
    }

    Set<String> owners(String directory) {
      Set<String> found = new HashSet<>();
      for (String at = directory;; at = parent(at)) {
        Optional.ofNullable(owners.get(at)).ifPresent(found::add);
        if (at.equals(source(directory))) {
          return found;
        }
      }
    }

    boolean has(Caller caller, Right right, String directory) {
      Set<String> subjects = new HashSet<>(Set.of("anyone"));
      if (!caller.name().isEmpty()) {
        subjects.addAll(Set.of(caller.name(), "authenticated"));
        caller.groups().forEach(group -> subjects.add("group:" + group));
      }
      return caller.name().equals(ADMIN)
          || owners(directory).contains(caller.name())
          || rules.getOrDefault(source(directory), Set.of()).stream()
              .anyMatch(
                  rule -> subjects.contains(rule.subject())
                      && (rule.rights().contains(right) || rule.rights().contains(Right.ADMIN)));
    }

    boolean gets(Caller caller, String path) {
      return path.equals("/") || (has(caller, Right.READ, parent(path)) && gets(caller, parent(path)));
    }

    boolean reads(Caller caller, String path) {
      return path.equals("/") ? has(caller, Right.READ, "/") : gets(caller, path);
    }

    boolean may(Caller caller, Right right, String path) {
      return reads(caller, path) && has(caller, right, parent(path));
    }

    /** Whether the path of an entry may become that of others. */
    boolean uncovers(Caller caller, String path) {
      return !rules.containsKey(path) || has(caller, Right.ADMIN, parent(path)) || has(caller, Right.ADMIN, path);
    }

    Set<String> visits(Caller caller, String directory) {
      Set<String> seen = new TreeSet<>();
      for (String path : children(directory)) {
        seen.add(path);
        if (directories.contains(path) && has(caller, Right.READ, directory) && has(caller, Right.LIST, path)) {
          seen.addAll(visits(caller, path));
        }
      }
      return seen;
    }

    Set<String> children(String directory) {
      Set<String> all = new TreeSet<>(directories);
      all.addAll(junctions);
      all.removeIf(path -> path.equals("/") || !parent(path).equals(directory));
      return all;
    }

    static String parent(String path) {
      int slash = path.lastIndexOf('/');
      return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String child(String directory, String name) {
      return directory.equals("/") ? "/" + name : directory + "/" + name;
    }
  }

  @BeforeAll
  static void start() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    service = LocalNameService.start(
        database, 16 << 20, TestServices.WRITER, InstantSource.system(), new AccessControl(CLOSED, false));
  }

  @AfterAll
  static void stop() {
    setRoot(Optional.empty());
    service.close();
    database.close();
  }

  private static CallContext by(Caller caller) {
    return new CallContext(caller, Optional.empty());
  }

  private static void setRoot(Optional<Set<AccessRule>> rules) {
    set("/", new AccessRules(Optional.empty(), rules));
  }

  private static void set(String path, AccessRules access) {
    Entry old = query(SERVICE, Target.of(path)).orThrow();
    // One that says nothing is given as an element that says so.
    Metadata given = access.isNone()
        ? Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>")
        : old.metadata().with(access);
    service.update(SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), given))).value().getFirst()
        .orThrow();
  }

  private static Outcome<Entry> query(CallContext call, Target target) {
    return service.query(call, QueryRequest.of(target)).value().getFirst();
  }

  private static Entry add(CallContext call, NewEntry entry) {
    return service.add(call, AddRequest.of(entry)).value().getFirst().orThrow();
  }

  private static Model random(Random random, String root) {
    Model model = new Model();
    Set<AccessRule> all = rules(random, 2);
    model.directories.add("/");
    model.rules.put("/", all);
    model.ids.put("/", EntryId.ROOT);
    setRoot(Optional.of(all));
    List<String> directories = new ArrayList<>(List.of(root));
    make(model, random, root);
    for (int i = 0; i < 7; i++) {
      String path = Model.child(directories.get(random.nextInt(directories.size())), "d" + i);
      directories.add(path);
      make(model, random, path);
    }
    for (int i = 0; i < 4; i++) {
      String path = Model.child(directories.get(random.nextInt(directories.size())), "j" + i);
      model.junctions.add(path);
      model.ids.put(path, add(SERVICE, NewEntry.junction(Target.of(path), REFERENCE)).id());
    }
    return model;
  }

  private static void make(Model model, Random random, String path) {
    Optional<String> owner =
        random.nextInt(4) == 0 ? Optional.of(CALLERS.get(random.nextInt(2)).name()) : Optional.empty();
    Optional<Set<AccessRule>> rules =
        random.nextInt(3) == 0 ? Optional.of(rules(random, 3)) : Optional.empty();
    model.directories.add(path);
    owner.ifPresent(name -> model.owners.put(path, name));
    rules.ifPresent(own -> model.rules.put(path, own));
    AccessRules access = new AccessRules(owner, rules);
    model.ids.put(
        path,
        add(SERVICE, new NewEntry(Target.of(path), List.of(), Metadata.NONE.with(access), Precondition.IF_ABSENT))
            .id());
  }

  private static Set<AccessRule> rules(Random random, int seldom) {
    Set<AccessRule> rules = new HashSet<>();
    for (String subject : SUBJECTS) {
      Set<Right> rights = EnumSet.noneOf(Right.class);
      for (Right right : Right.values()) {
        if (random.nextInt(right == Right.ADMIN ? 12 : 2) == 0) {
          rights.add(right);
        }
      }
      if (!rights.isEmpty() && random.nextInt(seldom) == 0) {
        rules.add(new AccessRule(subject, rights));
      }
    }
    return rules;
  }

  /** Whether a write is permitted; it is not applied, because of a second item that always fails. */
  private static boolean mayUpdate(Caller caller, EntryChange change) {
    List<EntryChange> both = List.of(change, EntryChange.metadata(Target.of("/no such entry"), Metadata.NONE));
    return permitted(service.update(by(caller), new UpdateRequest(both, true)).value().getFirst());
  }

  private static boolean mayAdd(Caller caller, NewEntry entry, boolean parents) {
    List<NewEntry> both = List.of(entry, NewEntry.directory(Target.of("/no such entry/x/y")));
    // With parents the second one has to fail in another way.
    List<NewEntry> all = parents
        ? List.of(entry, new NewEntry(Target.ROOT.child(EntryName.of("x")), List.of(), Metadata.NONE,
            Precondition.ifVersion(Long.MAX_VALUE)))
        : both;
    return permitted(service.add(by(caller), new AddRequest(all, parents, true)).value().getFirst());
  }

  private static boolean mayRemove(Caller caller, Removal removal) {
    List<Removal> both = List.of(removal, Removal.of(Target.of("/no such entry")));
    return permitted(service.remove(by(caller), new RemoveRequest(both, true)).value().getFirst());
  }

  private static boolean permitted(Outcome<?> outcome) {
    if (!(outcome instanceof Outcome.Refused<?>(Refusal refusal))) {
      return true;
    }
    boolean unpermitted =
        refusal.error() == RnsError.NOT_PERMITTED || refusal.error().name().equals("NOT_AUTHENTICATED");
    assertThat(unpermitted || refusal.error() == RnsError.NOT_APPLIED || refusal.error() == RnsError.NOT_EMPTY)
        .as("%s", refusal).isTrue();
    return !unpermitted;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 10, 11})
  void everyRequestIsPermittedAsTheModelSays(int seed) {
    Random random = new Random(seed);
    Model model = random(random, "/access-" + System.nanoTime());
    int[] permitted = new int[2];
    for (Caller caller : CALLERS) {
      for (String path : model.ids.keySet()) {
        check(model, caller, path, permitted);
      }
      for (String path : model.directories) {
        checkDirectory(model, caller, path);
      }
    }
    assertThat(permitted[0]).as("refused").isPositive();
    assertThat(permitted[1]).as("permitted").isPositive();
  }

  private static void is(Model model, boolean actual, boolean expected, Object... what) {
    assertThat(actual).as("%s with rules %s and owners %s", List.of(what), model.rules, model.owners)
        .isEqualTo(expected);
  }

  private void check(Model model, Caller caller, String path, int[] permitted) {
    Target target = Target.of(path);
    boolean reads = model.reads(caller, path);
    permitted[reads ? 1 : 0]++;
    is(model, permitted(query(by(caller), target)), reads, caller, "query", path);
    is(model, permitted(query(by(caller), Target.of(model.ids.get(path)))), reads, caller, "query by id", path);
    Metadata other = Metadata.of(Map.of("k", "v"));
    boolean root = path.equals("/");
    boolean changes = model.may(caller, Right.CHANGE, path);
    is(model, mayUpdate(caller, EntryChange.metadata(target, other)), changes, caller, "change", path);
    is(model, mayUpdate(caller, EntryChange.metadata(Target.of(model.ids.get(path)), other)), changes, caller,
        "change by id", path);
    if (root) {
      return;
    }
    boolean uncovers = model.uncovers(caller, path);
    is(model, mayUpdate(caller, EntryChange.rename(target, EntryName.of(NEW))), changes && uncovers, caller, "rename",
        path);
    is(model, mayUpdate(caller, EntryChange.rename(target, RnsPath.parse(path).name())), changes, caller,
        "rename to the same name", path);
    boolean removes = model.may(caller, Right.REMOVE, path) && uncovers;
    is(model, mayRemove(caller, Removal.of(target)), removes, caller, "remove", path);
    boolean directory = model.directories.contains(path);
    is(model, mayRemove(caller, Removal.recursive(target)),
        removes && (!directory || model.has(caller, Right.REMOVE, path)), caller, "remove -r", path);
    for (String to : model.directories) {
      if (!to.equals(path) && !to.startsWith(path + "/") && !to.equals(Model.parent(path))) {
        is(model, mayUpdate(caller, EntryChange.move(target, Target.of(to), EntryName.of(NEW))),
            moves(model, caller, path, to), caller, "move", path, to);
      }
    }
  }

  private static boolean moves(Model model, Caller caller, String path, String to) {
    String from = Model.parent(path);
    boolean moves = model.may(caller, Right.REMOVE, path) && model.gets(caller, to) && model.has(caller, Right.ADD, to);
    boolean narrower = model.source(from).equals(model.source(to)) && model.owners(from).containsAll(model.owners(to));
    return moves && model.uncovers(caller, path)
        && (model.junctions.contains(path) || narrower || model.has(caller, Right.ADMIN, from));
  }

  private void checkDirectory(Model model, Caller caller, String path) {
    Target target = Target.of(path);
    Target byId = Target.of(model.ids.get(path));
    boolean lists = model.gets(caller, path) && model.has(caller, Right.LIST, path);
    is(model, permitted(service.list(by(caller), ListRequest.of(target)).value()), lists, caller, "list", path);
    is(model, permitted(service.list(by(caller), ListRequest.of(byId)).value()), lists, caller, "list by id", path);
    if (lists && !path.equals("/")) {
      Page page = service.list(by(caller), ListRequest.of(target)).value().orThrow();
      boolean content = model.has(caller, Right.READ, path);
      assertThat(page.entries()).allMatch(
          entry -> content || (entry.metadata().isEmpty()
              && !(entry instanceof Entry.Junction junction && junction.references().contains(REFERENCE))));
      assertThat(visited(caller, path, 1 + model.ids.size())).isEqualTo(model.visits(caller, path));
      assertThat(visited(caller, path, 1)).isEqualTo(model.visits(caller, path));
    }
    boolean adds = model.gets(caller, path) && model.has(caller, Right.ADD, path);
    NewEntry entry = NewEntry.junction(target.child(EntryName.of(NEW)), REFERENCE);
    is(model, mayAdd(caller, entry, false), adds, caller, "add", path);
    NewEntry below = NewEntry.directory(target.child(EntryName.of(NEW)).child(EntryName.of("b")));
    // It has to look for what is there already.
    boolean looks = model.has(caller, Right.READ, path);
    is(model, mayAdd(caller, below, true), adds && looks, caller, "add with parents", path);
    Entry old = query(SERVICE, target).orThrow();
    Metadata others = old.metadata().with(new AccessRules(Optional.of("local:eve"), Optional.empty()));
    boolean administers = model.reads(caller, path) && model.has(caller, Right.ADMIN, path);
    is(model, mayUpdate(caller, EntryChange.metadata(target, others)), administers, caller, "set rules", path);
    EntryChange both = new EntryChange(
        target, Optional.of(EntryName.of(NEW)), Optional.empty(), Optional.empty(), Optional.of(others),
        Precondition.NONE);
    if (!path.equals("/")) {
      is(model, mayUpdate(caller, both),
          administers && model.may(caller, Right.CHANGE, path) && model.uncovers(caller, path), caller,
          "rename and set rules", path);
    }
    NewEntry ruled = new NewEntry(
        target.child(EntryName.of(NEW)), List.of(), others, Precondition.IF_ABSENT);
    is(model, mayAdd(caller, ruled, false), adds && model.has(caller, Right.ADMIN, path), caller, "add rules", path);
  }

  private static Set<String> visited(Caller caller, String path, int size) {
    Set<String> visited = new TreeSet<>();
    Optional<SubtreePosition> after = Optional.empty();
    do {
      SubtreePage page = service.subtree(
          by(caller),
          new SubtreeRequest(
              Target.of(path), SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, size, after))
          .value().orThrow();
      page.entries().forEach(visit -> assertThat(visited.add(visit.path().toString())).isTrue());
      after = page.next();
    } while (after.isPresent());
    return visited;
  }

  // ---- moves never widen

  @ParameterizedTest
  @ValueSource(ints = {11, 12, 14, 15, 16, 17})
  void movesOfThoseWithoutAdminOpenNothingToAnybody(int seed) {
    Random random = new Random(seed);
    String root = "/moved-" + System.nanoTime();
    Model model = random(random, root);
    List<String> paths = model.ids.keySet().stream().filter(path -> !path.equals("/") && !path.equals(root)).toList();
    int moved = 0;
    for (int i = 0; i < 60; i++) {
      Caller caller = CALLERS.get(random.nextInt(3));
      String path = paths.get(random.nextInt(paths.size()));
      List<String> directories = List.copyOf(model.directories);
      String to = directories.get(random.nextInt(directories.size()));
      if (to.equals(path) || to.startsWith(path + "/")) {
        continue;
      }
      String from = Model.parent(path);
      Set<String> before = rights(model.directories.contains(path) ? path : from, path);
      Outcome<Entry> outcome = service.update(
          by(caller), UpdateRequest.of(EntryChange.move(Target.of(path), Target.of(to), EntryName.of("m" + i))))
          .value().getFirst();
      if (outcome instanceof Outcome.Done<Entry>) {
        moved++;
        String there = Model.child(to, "m" + i);
        if (model.directories.contains(path) && !model.has(caller, Right.ADMIN, from)) {
          assertThat(before).as("%s moves %s to %s", caller, path, there).containsAll(rights(there, there));
        }
        Outcome<Entry> back = service.update(
            SERVICE,
            UpdateRequest.of(
                EntryChange.move(
                    Target.of(there), Target.of(from), EntryName.of(path.substring(path.lastIndexOf('/') + 1)))))
            .value().getFirst();
        assertThat(back).isInstanceOf(Outcome.Done.class);
      }
    }
    assertThat(moved).isPositive();
  }

  /** What everybody may do with a directory and what is in it, as the server says. */
  private static Set<String> rights(String directory, String path) {
    Set<String> rights = new TreeSet<>();
    Entry entry = query(SERVICE, Target.of(path)).orThrow();
    Entry old = query(SERVICE, Target.of(directory)).orThrow();
    if (!(old instanceof VirtualDirectory) || !(entry instanceof VirtualDirectory)) {
      return rights;
    }
    for (Caller caller : CALLERS) {
      NewEntry added = NewEntry.junction(Target.of(old.id()).child(EntryName.of(NEW)), REFERENCE);
      if (mayAdd(caller, added, false)) {
        rights.add(caller + " adds");
      }
      if (permitted(service.list(by(caller), ListRequest.of(Target.of(old.id()))).value())) {
        rights.add(caller + " lists");
      }
      if (permitted(query(by(caller), Target.of(old.id())))) {
        rights.add(caller + " reads it");
      }
    }
    return rights;
  }

  // ---- what only looks like a detail

  private static String fresh(Set<AccessRule> rules) {
    setRoot(Optional.of(Set.of(AccessRule.parse("anyone=list,read,add,change,remove"))));
    String path = "/case-" + System.nanoTime();
    add(SERVICE, new NewEntry(Target.of(path), List.of(),
        Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(rules))), Precondition.IF_ABSENT));
    return path;
  }

  private static final Caller BOB = new Caller("local:bob", Set.of());

  @Test
  void whoeverMakesADirectoryOwnsIt() {
    String path = fresh(Set.of(AccessRule.parse("authenticated=read,list,add")));
    CallContext call = by(BOB).with(new RequestId("own-" + path));
    NewEntry entry = NewEntry.directory(Target.of(path + "/b/c"));
    AddRequest request = new AddRequest(List.of(entry), true, false);
    Entry made = service.add(call, request).value().getFirst().orThrow();
    assertThat(made.metadata().access().owner()).contains(BOB.name());
    assertThat(query(by(BOB), Target.of(path + "/b")).orThrow().metadata().access().owner()).contains(BOB.name());
    // The same answer again, with what the service has added.
    assertThat(service.add(call, request).value().getFirst().orThrow()).isEqualTo(made);
    // As its owner he may open it to others, and only it.
    AccessRules opened = made.metadata().access().withRules(Set.of(AccessRule.parse("anyone=read")));
    assertThat(service.update(by(BOB), UpdateRequest.of(
        EntryChange.metadata(Target.of(path + "/b/c"), made.metadata().with(opened)))).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    assertThat(permitted(service.update(by(BOB), UpdateRequest.of(
        EntryChange.metadata(Target.of(path), Metadata.NONE.with(opened)))).value().getFirst())).isFalse();
  }

  /** What goes by path in a closed directory, as pools do, must not become that of whoever may rename or remove it. */
  @Test
  void thePathOfADirectoryWithRulesIsLeftToOthersByItsAdministratorsOnly() {
    String path = fresh(Set.of(AccessRule.parse("anyone=list,read,add,change,remove")));
    Metadata rules = Metadata.NONE.with(AccessRules.CLOSED);
    Target closed = Target.of(path + "/closed");
    add(SERVICE, new NewEntry(closed, List.of(), rules, Precondition.IF_ABSENT));
    add(SERVICE, NewEntry.directory(Target.of(path + "/open")));
    EntryId id = query(SERVICE, closed).orThrow().id();
    for (Target target : List.of(closed, Target.of(id))) {
      for (EntryChange change : List.of(
          EntryChange.rename(target, EntryName.of(NEW)),
          EntryChange.move(target, Target.of(path + "/open"), EntryName.of("closed")))) {
        Outcome<Entry> outcome = service.update(by(BOB), UpdateRequest.of(change)).value().getFirst();
        assertThat(permitted(outcome)).isFalse();
        assertThat(message(outcome)).contains("'local:bob' lacks the right 'admin' in");
      }
      for (Removal removal : List.of(Removal.of(target), Removal.recursive(target))) {
        assertThat(permitted(service.remove(by(BOB), RemoveRequest.of(removal)).value().getFirst())).isFalse();
      }
    }
    // Nor in two steps of a batch.
    List<EntryChange> steps = List.of(
        EntryChange.metadata(closed, Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>")),
        EntryChange.rename(closed, EntryName.of(NEW)));
    for (Outcome<Entry> outcome : service.update(by(BOB), new UpdateRequest(steps, false)).value()) {
      assertThat(permitted(outcome)).isFalse();
    }
    assertThat(message(service.update(by(BOB), UpdateRequest.of(steps.getLast())).value().getFirst()))
        .endsWith("lacks the right 'admin' in '" + path + "'");
    // Whoever may set its rules, may: they could be set to those above first.
    set(path + "/closed", new AccessRules(Optional.empty(), Optional.of(Set.of(AccessRule.parse("local:bob=admin")))));
    assertThat(service.update(by(BOB), UpdateRequest.of(steps.getLast())).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    set(path, new AccessRules(Optional.empty(), Optional.of(Set.of(AccessRule.parse("local:alice=admin")))));
    assertThat(service.update(by(CALLERS.getFirst()), UpdateRequest.of(
        EntryChange.rename(Target.of(path + "/" + NEW), EntryName.of("closed")))).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    assertThat(service.remove(by(CALLERS.getFirst()), RemoveRequest.of(Removal.of(closed))).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
  }

  /** A change of nothing but rules needs no right above; with another name it is more than that. */
  @Test
  void theRightToSetRulesIsNoneToRename() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read")));
    Target target = Target.of(path + "/d");
    AccessRules rules =
        new AccessRules(Optional.empty(), Optional.of(Set.of(AccessRule.parse("local:bob=admin"))));
    add(SERVICE, new NewEntry(target, List.of(), Metadata.NONE.with(rules), Precondition.IF_ABSENT));
    Metadata opened = Metadata.NONE.with(rules.with("anyone", Optional.of(AccessRule.parse("anyone=read"))));
    EntryChange both = new EntryChange(
        target, Optional.of(EntryName.of(NEW)), Optional.empty(), Optional.empty(), Optional.of(opened),
        Precondition.NONE);
    assertThat(message(service.update(by(BOB), UpdateRequest.of(both)).value().getFirst()))
        .endsWith("lacks the right 'change' in '" + path + "'");
    assertThat(service.update(by(BOB), UpdateRequest.of(EntryChange.metadata(target, opened))).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
  }

  @Test
  void theAnonymousCallerOwnsNothing() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read,list,add")));
    Entry made = add(CallContext.ANONYMOUS, NewEntry.directory(Target.of(path + "/a")));
    assertThat(made.metadata()).isEqualTo(Metadata.NONE);
  }

  @Test
  void replacingMetadataKeepsTheRules() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read,list")));
    AccessRules rules = query(SERVICE, Target.of(path)).orThrow().metadata().access();
    Metadata other = Metadata.of(Map.of("k", "v"));
    Entry changed = service.update(by(BOB), UpdateRequest.of(EntryChange.metadata(Target.of(path), other))).value()
        .getFirst().orThrow();
    assertThat(changed.metadata()).isEqualTo(other.with(rules));
    Entry replaced = service.add(
        by(BOB), AddRequest.of(new NewEntry(Target.of(path), List.of(), Metadata.NONE, Precondition.NONE))).value()
        .getFirst().orThrow();
    assertThat(replaced.metadata().access()).isEqualTo(rules);
    for (String element : List.of("<access xmlns=\"urn:rns:ext:1\"/>", "<q:access xmlns:q=\"urn:rns:ext&#58;1\"/>")) {
      Metadata without = Metadata.parse(element);
      assertThat(permitted(service.update(by(BOB), UpdateRequest.of(
          EntryChange.metadata(Target.of(path), without))).value().getFirst())).isFalse();
      assertThat(permitted(service.add(by(BOB), AddRequest.of(
          new NewEntry(Target.of(path), List.of(), without, Precondition.NONE))).value().getFirst())).isFalse();
    }
  }

  @Test
  void junctionsHaveNoRules() {
    String path = fresh(Set.of());
    Metadata rules = Metadata.NONE.with(AccessRules.CLOSED);
    Outcome<Entry> added = service.add(SERVICE, AddRequest.of(
        new NewEntry(Target.of(path + "/j"), List.of(REFERENCE), rules, Precondition.NONE))).value().getFirst();
    assertThat(added).isInstanceOfSatisfying(
        Outcome.Refused.class, refused -> assertThat(refused.refusal().error()).isEqualTo(RnsError.INVALID_REQUEST));
    add(SERVICE, NewEntry.junction(Target.of(path + "/j"), REFERENCE));
    assertThat(service.update(SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path + "/j"), rules))).value()
        .getFirst()).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void aForbiddenDirectoryTellsNothingOfWhatIsInIt() {
    String path = fresh(Set.of());
    add(SERVICE, NewEntry.directory(Target.of(path + "/a")));
    Outcome<Entry> there = query(by(BOB), Target.of(path + "/a"));
    Outcome<Entry> missing = query(by(BOB), Target.of(path + "/b"));
    assertThat(message(there).replace("/a", "/b")).isEqualTo(message(missing));
    for (Precondition precondition : List.of(Precondition.IF_ABSENT, Precondition.NONE, Precondition.ifVersion(1))) {
      Set<String> messages = new HashSet<>();
      for (String name : List.of("a", "b")) {
        Outcome<Entry> added = service.add(by(BOB), AddRequest.of(
            new NewEntry(Target.of(path + "/" + name), List.of(), Metadata.NONE, precondition))).value().getFirst();
        assertThat(permitted(added)).isFalse();
        messages.add(message(added));
      }
      assertThat(messages).hasSize(1);
    }
    // Nor how many there are.
    Entry counted = service.query(by(BOB), QueryRequest.of(Target.of(path)).withCounts()).value().getFirst().orThrow();
    assertThat(((VirtualDirectory) counted).entries()).isEqualTo(-1);
  }

  @Test
  void aRefusedRemovalCountsEntriesForCallersWhoMayListThem() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read,remove")));
    Target full = Target.of(path + "/d");
    add(SERVICE, NewEntry.directory(full));
    add(SERVICE, NewEntry.directory(Target.of(path + "/d/e")));
    RemoveRequest removal = RemoveRequest.of(Removal.of(full));
    assertThat(service.remove(by(BOB), removal).value().getFirst())
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(full, 0)));
    set(path, new AccessRules(Optional.empty(), Optional.of(Set.of(AccessRule.parse("anyone=read,list,remove")))));
    assertThat(service.remove(by(BOB), removal).value().getFirst())
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(full, 1)));
  }

  private static String message(Outcome<?> outcome) {
    return ((Outcome.Refused<?>) outcome).refusal().message();
  }

  @Test
  void whatWasOpenedIsNoWayInOnceItIsClosed() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read,list")));
    for (String name : List.of("a", "b", "c")) {
      add(SERVICE, NewEntry.directory(Target.of(path + "/" + name)));
    }
    Page page = service.list(by(BOB), new ListRequest(Target.of(path), 1, Optional.empty(), Optional.empty())).value()
        .orThrow();
    Cursor cursor = page.next().orElseThrow();
    EntryId inside = page.entries().getFirst().id();
    set(path, AccessRules.CLOSED);
    assertThat(permitted(service.list(
        by(BOB), new ListRequest(Target.of(path), 1, Optional.of(cursor), Optional.empty())).value())).isFalse();
    assertThat(permitted(query(by(BOB), Target.of(inside)))).isFalse();
    assertThat(permitted(service.list(by(BOB), ListRequest.of(Target.of(inside))).value())).isFalse();
    // A position in it leads to nothing of it.
    SubtreePage rest = service.subtree(
        by(BOB),
        new SubtreeRequest(
            Target.ROOT, SubtreeRequest.Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 1_000,
            Optional.of(new SubtreePosition(RnsPath.parse(path + "/a"), true))))
        .value().orThrow();
    assertThat(rest.entries()).noneMatch(visit -> visit.path().toString().startsWith(path + "/"));
  }

  @Test
  void whatWouldBeRefusedIsCounted() {
    String path = fresh(Set.of());
    add(SERVICE, NewEntry.directory(Target.of(path + "/a")));
    AccessControl logging = new AccessControl(new AccessPolicy(AccessMode.LOG, Set.of()), false);
    try (LocalNameService replica = LocalNameService.open(
        database, 1 << 20, TestServices.WRITER, InstantSource.system(), logging)) {
      assertThat(replica.query(by(BOB), QueryRequest.of(Target.of(path + "/a"))).value().getFirst())
          .isInstanceOf(Outcome.Done.class);
      assertThat(replica.list(by(BOB), ListRequest.of(Target.of(path))).value().orThrow().entries()).hasSize(1);
    }
    assertThat(logging.statistics().get("access.wouldRefuse").longValue()).isGreaterThan(1);
  }

  @Test
  void whatMayNotBeSeenIsMissingIfTheServerHidesIt() {
    String path = fresh(Set.of());
    add(SERVICE, NewEntry.directory(Target.of(path + "/a")));
    AccessControl hiding = new AccessControl(CLOSED, true);
    try (LocalNameService replica = LocalNameService.open(
        database, 1 << 20, TestServices.WRITER, InstantSource.system(), hiding)) {
      for (String name : List.of("/a", "/b")) {
        Target target = Target.of(path + name);
        assertThat(replica.query(by(BOB), QueryRequest.of(target)).value().getFirst())
            .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(target, 2)));
      }
      assertThat(replica.list(by(BOB), ListRequest.of(Target.of(path))).value())
          .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(path), 1)));
    }
  }

  @Test
  void aRequestIdOfOneCallerIsNoneOfAnother() {
    String path = fresh(Set.of(AccessRule.parse("local:alice=read,list,add")));
    RequestId id = new RequestId("of-alice-" + path);
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of(path + "/x")));
    assertThat(service.add(by(CALLERS.getFirst()).with(id), request).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    assertThat(permitted(service.add(by(BOB).with(id), request).value().getFirst())).isFalse();
  }

  @Test
  void limitsOfACredentialNarrowWhatRulesPermit() {
    String path = fresh(Set.of(AccessRule.parse("anyone=read,list,add")));
    add(SERVICE, NewEntry.directory(Target.of(path + "/in")));
    Entry out = add(SERVICE, NewEntry.directory(Target.of(path + "/out")));
    Caller limited =
        new Caller(
            "local:alice", Set.of(),
            List.of(Set.of(new Scope(RnsPath.parse(path + "/in"), Set.of(Right.READ, Right.ADD)))));
    assertThat(permitted(query(by(limited), Target.of(path + "/in")))).isTrue();
    assertThat(permitted(query(by(limited), Target.of(path + "/out")))).isFalse();
    assertThat(permitted(query(by(limited), Target.of(out.id())))).isFalse();
    assertThat(permitted(query(by(limited), Target.of(path)))).isFalse();
    assertThat(mayAdd(limited, NewEntry.directory(Target.of(path + "/in/x")), false)).isTrue();
    assertThat(mayAdd(limited, NewEntry.directory(Target.of(path + "/out/x")), false)).isFalse();
    assertThat(mayAdd(limited, NewEntry.directory(Target.of(path + "/x")), false)).isFalse();
    assertThat(permitted(service.list(by(limited), ListRequest.of(Target.of(path + "/in"))).value())).isFalse();
    // Also for an administrator.
    Caller admin = new Caller(ADMIN, Set.of(), limited.limits());
    assertThat(permitted(query(by(admin), Target.of(path + "/in")))).isTrue();
    assertThat(permitted(query(by(admin), Target.of(path + "/out")))).isFalse();
  }
}
