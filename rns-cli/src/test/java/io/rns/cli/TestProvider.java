package io.rns.cli;

import io.rns.issuer.TestIssuer;
import io.rns.issuer.TestIssuer.Reply;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An OpenID provider that signs users of other devices in, and answers as it is told to. Thread-safe. */
final class TestProvider implements AutoCloseable {
  private final TestIssuer issuer = new TestIssuer();
  private final Deque<Reply> tokens = new ArrayDeque<>();
  private final List<Map<String, String>> forms = new ArrayList<>();
  private final List<String> revoked = new ArrayList<>();
  private Reply device =
      new Reply(200,
          "{\"device_code\":\"dc\",\"user_code\":\"ABCD-EFGH\",\"verification_uri\":\"https://x.example/device\","
              + "\"verification_uri_complete\":\"https://x.example/device?user_code=ABCD-EFGH\",\"expires_in\":60,"
              + "\"interval\":1}");
  private int revocationStatus = 200;

  TestProvider() {
    issuer.endpoint("device_authorization_endpoint", "/device", this::begin);
    issuer.endpoint("token_endpoint", "/token", this::token);
  }

  /** Also offers revocation. */
  TestProvider revoking(int status) {
    revocationStatus = status;
    issuer.endpoint("revocation_endpoint", "/revoke", this::revoke);
    return this;
  }

  String url() {
    return issuer.url();
  }

  TestIssuer issuer() {
    return issuer;
  }

  /** How it begins a sign-in. */
  synchronized TestProvider device(int status, String json) {
    device = new Reply(status, json);
    return this;
  }

  /** The next answer about a token. */
  synchronized TestProvider answer(int status, String json) {
    tokens.add(new Reply(status, json));
    return this;
  }

  TestProvider error(String code) {
    return answer(400, "{\"error\":\"" + code + "\"}");
  }

  TestProvider grant(String access, String refresh, int seconds) {
    return answer(200,
        "{\"access_token\":\"" + access + "\",\"token_type\":\"bearer\",\"expires_in\":" + seconds
            + (refresh.isEmpty() ? "" : ",\"refresh_token\":\"" + refresh + "\"") + "}");
  }

  /** The forms of all requests. */
  synchronized List<Map<String, String>> forms() {
    return List.copyOf(forms);
  }

  synchronized List<String> revoked() {
    return List.copyOf(revoked);
  }

  private synchronized Reply begin(String form) {
    forms.add(fields(form));
    return device;
  }

  /** A refresh token is good once. */
  private synchronized Reply token(String form) {
    forms.add(fields(form));
    String refresh = fields(form).getOrDefault("refresh_token", "");
    long used = forms.stream().filter(other -> other.getOrDefault("refresh_token", "-").equals(refresh)).count();
    if (used > 1 || tokens.isEmpty()) {
      return new Reply(400, "{\"error\":\"invalid_grant\",\"error_description\":\"Session not active\"}");
    }
    return tokens.remove();
  }

  private synchronized Reply revoke(String form) {
    revoked.add(fields(form).get("token_type_hint") + " " + fields(form).get("token"));
    return new Reply(revocationStatus, "");
  }

  private static Map<String, String> fields(String form) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : form.split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return fields;
  }

  @Override
  public void close() {
    issuer.close();
  }
}
