package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EntryId;
import io.rns.server.namespace.RequestSample.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept of requests is bounded, and as they are. */
class RequestSampleTest {
  private final RequestSample requests = new RequestSample();

  private void count(int directory, int times) {
    for (int i = 0; i < times; i++) {
      requests.count(new EntryId(directory));
    }
  }

  @Test
  void fewRequestsAreAllKept() {
    count(7, 60);
    count(8, 40);
    assertThat(requests.peek()).isEqualTo(requests.take());
    assertThat(requests.take()).isEqualTo(new Sample(0, List.of()));
    count(9, 3);
    assertThat(requests.take()).isEqualTo(new Sample(3, Collections.nCopies(3, new EntryId(9))));
  }

  /** One directory gets three of four requests in a rhythm, and requests come faster and faster. */
  @Test
  void eachRequestIsAsLikelyToBeKeptAsAnyOther() {
    Map<EntryId, Double> shares = new HashMap<>();
    int rounds = 400;
    long all = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 500 * (1 + round % 8); i++) {
        count(i % 4 == 0 ? 2 : 1, 1);
        all++;
      }
      Sample sample = requests.take();
      all -= sample.requests();
      assertThat(sample.directories()).hasSizeBetween(1, RequestSample.MOST);
      sample.directories().forEach(each -> shares.merge(each, 1.0 / sample.directories().size() / rounds, Double::sum));
    }
    assertThat(all).isZero();
    // The standard deviation of 400 samples of 8 to 512 requests is 0.004.
    assertThat(shares.get(new EntryId(1))).isBetween(0.725, 0.775);
  }

  @Test
  void requestsThatComeEarlyAreKeptAsOftenAsLateOnes() {
    long early = 0;
    long kept = 0;
    for (int round = 0; round < 400; round++) {
      RequestSample fresh = new RequestSample();
      for (int i = 0; i < 4_000; i++) {
        fresh.count(new EntryId(i < 1_000 ? 1 : 2));
      }
      Sample sample = fresh.take();
      early += sample.directories().stream().filter(new EntryId(1)::equals).count();
      kept += sample.directories().size();
    }
    assertThat(1.0 * early / kept).isBetween(0.23, 0.27);
  }

  /** Plans are wrong otherwise if the load of a few seconds has to be divided. */
  @Test
  void aFifthOfTheRequestsIsMeasuredToWithinATenthInOneInterval() {
    SplittableRandom random = new SplittableRandom(1);
    int rounds = 400;
    double squares = 0;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 2_000; i++) {
        count(random.nextInt(5) == 0 ? 1 : 2, 1);
      }
      Sample sample = requests.take();
      double share =
          1.0 * Collections.frequency(sample.directories(), new EntryId(1)) / sample.directories().size();
      squares += (share - 0.2) * (share - 0.2) / rounds;
    }
    assertThat(Math.sqrt(squares)).as("the standard deviation").isLessThan(0.03);
  }

  @Test
  void requestsOfWhichNoneIsKeptCountWithLaterOnes() {
    count(1, 1_000_000);
    long counted = requests.take().requests();
    count(2, 1);
    counted += requests.take().requests();
    count(3, 100_000);
    counted += requests.take().requests();
    assertThat(counted).isEqualTo(1_100_001);
  }

  @Test
  void requestsOfManyThreadsAreAllCounted() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    IntStream.range(0, 8).forEach(each -> threads.add(Thread.ofVirtual().start(() -> count(1 + each % 2, 20_000))));
    for (Thread thread : threads) {
      thread.join();
    }
    Sample sample = requests.take();
    assertThat(sample.requests()).isEqualTo(160_000);
    assertThat(sample.directories()).hasSizeLessThanOrEqualTo(RequestSample.MOST);
  }
}
