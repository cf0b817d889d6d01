package io.rns.local;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A person who signs in on the pages of Keycloak: follows redirects, keeps cookies, fills forms in. */
final class BrowserOfUser {
  private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
  private static final Pattern INPUT = Pattern.compile("<(?:input|button)\\b([^>]*)>", Pattern.DOTALL);
  private static final int MOST_PAGES = 20;
  private static final int REDIRECTIONS = 300;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private final String user;
  private final String answer;

  /** A user who answers the question for consent with {@code accept} or {@code cancel}. */
  BrowserOfUser(String user, String answer) {
    this.user = user;
    this.answer = answer;
  }

  /** Opens an address and fills in all forms that come; returns the last page. */
  String open(URI address) throws IOException, InterruptedException {
    HttpRequest.Builder next = HttpRequest.newBuilder(address);
    URI here = address;
    for (int i = 0; i < MOST_PAGES; i++) {
      next.header("Cookie", cookies.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining("; ")));
      HttpResponse<String> page = http.send(next.build(), HttpResponse.BodyHandlers.ofString());
      page.headers().allValues("Set-Cookie").forEach(this::keep);
      Optional<String> location = page.headers().firstValue("Location");
      if (page.statusCode() >= REDIRECTIONS && location.isPresent()) {
        here = here.resolve(location.get());
        next = HttpRequest.newBuilder(here);
        continue;
      }
      Matcher form = FORM.matcher(page.body());
      if (!form.find()) {
        return page.body();
      }
      here = here.resolve(attribute(form.group(1), "action").orElseThrow());
      next = HttpRequest.newBuilder(here).header("Content-Type", "application/x-www-form-urlencoded")
          .POST(HttpRequest.BodyPublishers.ofString(filled(form.group(2))));
    }
    throw new AssertionError("more than " + MOST_PAGES + " pages: " + here);
  }

  private void keep(String cookie) {
    String[] pair = cookie.substring(0, (cookie + ";").indexOf(';')).split("=", 2);
    cookies.put(pair[0], pair[1]);
  }

  private String filled(String form) {
    Map<String, String> fields = new LinkedHashMap<>();
    INPUT.matcher(form).results().map(input -> input.group(1)).forEach(
        input -> attribute(input, "name").ifPresent(
            name -> fields.put(name, attribute(input, "value").orElse(""))));
    if (fields.containsKey("username")) {
      fields.put("username", user);
      fields.put("password", "word-of-" + user);
    }
    if (fields.containsKey("accept")) {
      fields.remove(answer.equals("accept") ? "cancel" : "accept");
    }
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue())).collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Optional<String> attribute(String tag, String name) {
    Matcher found = Pattern.compile("(?:^|\\s)" + name + "\\s*=\\s*\"([^\"]*)\"").matcher(tag);
    return found.find() ? Optional.of(found.group(1).replace("&amp;", "&")) : Optional.empty();
  }
}
