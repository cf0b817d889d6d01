package io.rns.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TicketTest {
  private static final byte[] KEY = "a key that nobody knows".getBytes(StandardCharsets.UTF_8);
  private static final byte[] OTHER = "another".getBytes(StandardCharsets.UTF_8);
  private static final Scope DATA = new Scope(RnsPath.parse("/data"), Set.of(Right.LIST, Right.READ));
  private static final Caller MAKER =
      new Caller("jwt:https://i.example#a b%c", Set.of("jwt:https://i.example#/x y", "g"), List.of(Set.of(DATA)));

  private static Ticket ticket() {
    return Ticket.make("id-1", 7, KEY, MAKER);
  }

  @Test
  void theHolderIsTheMakerWithinItsLimits() {
    Ticket made = ticket();
    Ticket read = Ticket.parse(made.token());
    assertThat(read.isOf(KEY)).isTrue();
    assertThat(read.isOf(OTHER)).isFalse();
    assertThat(read.id()).isEqualTo("id-1");
    assertThat(read.key()).isEqualTo(7);
    assertThat(read.caller()).isEqualTo(MAKER);
    assertThat(read.until()).isEqualTo(Instant.MAX);
    assertThat(Ticket.isTicket(made.token())).isTrue();
    assertThat(Ticket.isTicket("eyJhbGciOiJSUzI1NiJ9.e30.AAAA")).isFalse();
    assertThat(made.toString()).doesNotContain(made.token());
  }

  @Test
  void anonymousCallersMakeNone() {
    assertThatThrownBy(() -> Ticket.make("x", 1, KEY, Caller.ANONYMOUS)).isInstanceOf(RnsException.class);
  }

  @Test
  void caveatsOnlyNarrow() {
    Caller free = new Caller("local:a", Set.of());
    List<Caveat> caveats =
        List.of(
            new Caveat.Below(RnsPath.parse("/a b/c")), new Caveat.Below(RnsPath.parse("/")),
            new Caveat.Only(Set.of(Right.LIST, Right.READ)), new Caveat.Only(Set.of(Right.values())),
            new Caveat.Only(Set.of(Right.ADD)), new Caveat.Within(Set.of(DATA)), new Caveat.Within(Set.of()),
            new Caveat.Before(Instant.parse("2030-01-01T00:00:00Z")));
    List<RnsPath> paths =
        List.of(RnsPath.ROOT, RnsPath.parse("/a b"), RnsPath.parse("/a b/c/d"), RnsPath.parse("/data/x"));
    Random random = new Random(20);
    for (int round = 0; round < 200; round++) {
      Ticket ticket = Ticket.make("x", 1, KEY, free);
      for (int i = 0; i < 5; i++) {
        Ticket narrower = Ticket.parse(ticket.narrowed(caveats.get(random.nextInt(caveats.size()))).token());
        assertThat(narrower.isOf(KEY)).isTrue();
        assertThat(narrower.until()).isBeforeOrEqualTo(ticket.until());
        for (RnsPath path : paths) {
          for (Right right : Right.values()) {
            if (narrower.caller().isWithinLimits(right, path)) {
              assertThat(ticket.caller().isWithinLimits(right, path)).isTrue();
            }
          }
        }
        ticket = narrower;
      }
    }
  }

  @Test
  void everyChangeOfATokenShows() {
    byte[] bytes = Base64.getUrlDecoder().decode(ticket().narrowed(new Caveat.Only(Set.of(Right.READ))).token());
    for (int i = 0; i < bytes.length * 8; i++) {
      byte[] changed = bytes.clone();
      changed[i / 8] ^= (byte) (1 << (i % 8));
      String token = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      boolean genuine;
      try {
        genuine = Ticket.parse(token).isOf(KEY);
      } catch (RnsException e) {
        genuine = false;
      }
      // The location is a hint that no signature covers; nothing reads it.
      boolean location = i / 8 >= 3 && i / 8 < 6;
      assertThat(genuine && !location).as("bit %d", i).isFalse();
    }
  }

  @Test
  void removedAndReorderedCaveatsShow() {
    Macaroon whole = Macaroon.of("", "i", KEY).with("path:/a").with("rights:read");
    String text = new String(Base64.getUrlDecoder().decode(whole.text()), StandardCharsets.ISO_8859_1);
    String first = "\u0002\u0007path:/a\0";
    String second = "\u0002\u000brights:read\0";
    assertThat(text).contains(first + second);
    for (String other : List.of(first, second, "", second + first, first + first + second,
        first + second.replace("read", "list"))) {
      byte[] forged = text.replace(first + second, other).getBytes(StandardCharsets.ISO_8859_1);
      Macaroon read = Macaroon.parse(Base64.getUrlEncoder().withoutPadding().encodeToString(forged));
      assertThat(read.isOf(KEY)).as(other).isFalse();
    }
    assertThat(Macaroon.parse(whole.text()).isOf(KEY)).isTrue();
  }

  @Test
  void caveatsThatAreNotUnderstoodAreRefused() {
    for (String caveat : List.of("", "x", "ip:127.0.0.1", "path:", "path:a", "path:/a/../b", "path:/a/", "rights:",
        "rights:write", "rights:read,", "activity:ROOT", "before:tomorrow", "before:", "scopes:read", "scopes:read@a",
        "scopes:all@/", "Path:/a", " path:/a")) {
      Ticket ticket = Ticket.parse(Macaroon.parse(ticket().token()).with(caveat).text());
      assertThatThrownBy(ticket::caller).as(caveat).isInstanceOf(RnsException.class);
      assertThatThrownBy(ticket::until).as(caveat).isInstanceOf(RnsException.class);
    }
  }

  @Test
  void activitiesOfOtherServicesAreRights() {
    assertThat(Caveat.parse("activity:LIST,DOWNLOAD"))
        .isEqualTo(new Caveat.Only(Set.of(Right.LIST, Right.READ)));
    assertThat(Caveat.parse("activity:MANAGE"))
        .isEqualTo(new Caveat.Only(Set.of(Right.ADD, Right.CHANGE, Right.REMOVE)));
    assertThat(Caveat.parse("activity:STAGE")).isEqualTo(new Caveat.Only(Set.of()));
  }

  @Test
  void hostileTokensAreRefused() {
    String good = ticket().token();
    byte[] bytes = Base64.getUrlDecoder().decode(good);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = java.util.Arrays.copyOf(bytes, length);
      refused(Base64.getUrlEncoder().withoutPadding().encodeToString(part));
    }
    for (String token : List.of("", "A", "!", "Ag", good + "AAAA", good + ".", "A".repeat(Macaroon.MOST_CHARACTERS + 1),
        hex("02 02 ff ff ff ff 7f"), hex("02 02 ff ff 7f"), hex("02 02 80 80 80 00"), hex("02 02 01 ff 00 00"),
        hex("02 02 01 61 00 02 01 61 04 01 61 00 00"), Macaroon.of("", "rns1 x", KEY).text(),
        Macaroon.of("", "rns1 x y n", KEY).text(), Macaroon.of("", "rns1 ! 1 n", KEY).text(),
        Macaroon.of("", "rns1 x 1 %zz", KEY).text(), Macaroon.of("", "mdata", KEY).text())) {
      refused(token);
    }
    Macaroon many = Macaroon.of("", "i", KEY);
    for (int i = 0; i < Macaroon.MOST_CAVEATS; i++) {
      many = many.with("path:/");
    }
    assertThat(Macaroon.parse(many.text()).isOf(KEY)).isTrue();
    refused(many.with("path:/").text());
  }

  private static String hex(String hex) {
    return Base64.getUrlEncoder().encodeToString(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static void refused(String token) {
    assertThatThrownBy(() -> Ticket.parse(token)).as(token).isInstanceOf(RnsException.class);
  }

  /** From the readme of libmacaroons: location and identifier of its example, and what it prints. */
  @Test
  void theSignatureIsThatOfOtherImplementations() {
    Macaroon macaroon =
        Macaroon.of(
            "http://mybank/", "we used our secret key",
            "this is our super secret key; only we should know it".getBytes(StandardCharsets.UTF_8));
    assertThat(signature(macaroon)).isEqualTo("e3d9e02908526c4c0039ae15114115d97fdd68bf2ba379b342aaf0f617d0552f");
    assertThat(signature(macaroon.with("account = 3735928559")))
        .isEqualTo("1efe4763f290dbce0c1d08477367e11f4eee456a64933cf662d79772dbb82128");
  }

  private static String signature(Macaroon macaroon) {
    byte[] bytes = Base64.getUrlDecoder().decode(macaroon.text());
    return HexFormat.of().formatHex(bytes, bytes.length - 32, bytes.length);
  }
}
