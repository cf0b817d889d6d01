package io.rns.server.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Another server of the group, over HTTP. Thread-safe. */
final class HttpMember implements GroupMember {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration STEP_DOWN = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofSeconds(15);
  private static final Duration LEAD = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SignedCalls calls;
  private final String url;
  private final String asker;

  /**
   * A member that can be asked.
   *
   * @param asker the address of the member that asks
   */
  HttpMember(SignedCalls calls, String url, String asker) {
    this.calls = calls;
    this.url = url;
    this.asker = asker;
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public MemberReport report() {
    return ReportJson.read(ask("GET", "member?from=" + encoded(asker), LOOK));
  }

  @Override
  public MemberReport stepDown() {
    return ReportJson.read(ask("POST", "step-down", STEP_DOWN));
  }

  @Override
  public MemberReport stopReceiving() {
    return ReportJson.read(ask("POST", "stop-receiving", STEP));
  }

  @Override
  public boolean contains(String transactions) {
    return ask("GET", "contains?transactions=" + encoded(transactions), LOOK.multipliedBy(3)).path("contains")
        .asBoolean();
  }

  @Override
  public void follow(String source, String primary) {
    ask("POST", "follow?source=" + encoded(source) + "&primary=" + encoded(primary), STEP);
  }

  @Override
  public MemberReport lead(PromotionTerms beginning) {
    String how = "?after=" + beginning.after() + "&first=" + beginning.first() + "&alone=" + beginning.alone();
    return ReportJson.read(ask("POST", "lead" + how, LEAD));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode ask(String method, String what, Duration most) {
    try {
      SignedCalls.Answer answer = calls.ask(method, URI.create(url), "/group/" + what, most);
      JsonNode document = JSON.readTree(answer.body());
      if (answer.status() != 200) {
        throw refused(answer.status(), document);
      }
      return document;
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, url + " does not answer " + method + " " + path(what) + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while asking " + url, e);
    }
  }

  private static String path(String what) {
    int query = what.indexOf('?');
    return query < 0 ? what : what.substring(0, query);
  }

  private RnsException refused(int status, @Nullable JsonNode document) {
    String code = document == null ? "" : document.path("code").asText();
    String message = document == null ? "" : document.path("message").asText();
    for (RnsError error : RnsError.values()) {
      if (error.name().equals(code)) {
        return new RnsException(error, url + ": " + message);
      }
    }
    return new RnsException(RnsError.UNAVAILABLE, url + " answers HTTP status " + status);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HttpMember member && member.url.equals(url);
  }

  @Override
  public int hashCode() {
    return url.hashCode();
  }
}
