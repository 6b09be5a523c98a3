package io.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NumbersTest {

  @Test
  void aPercentileIsTheSmallestSampleThatTheShareDoesNotExceed() {
    Samples hundred = Samples.of(LongStream.rangeClosed(1, 100).map(n -> 101 - n).toArray());
    assertThat(Numbers.percentile(hundred, 0.5)).isEqualTo(50);
    assertThat(Numbers.percentile(hundred, 0.99)).isEqualTo(99);
    assertThat(Numbers.percentile(hundred, 1)).isEqualTo(100);
    assertThat(Numbers.percentile(hundred, 0.001)).isEqualTo(1);
    assertThat(Numbers.percentile(Samples.of(7), 0.99)).isEqualTo(7);
    assertThat(Numbers.percentile(Samples.of(), 0.5)).isNaN();
    assertThatThrownBy(() -> Numbers.percentile(hundred, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Numbers.percentile(hundred, 1.1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMedianIsTheMiddleOrTheMeanOfTheMiddleTwo() {
    assertThat(Numbers.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    assertThat(Numbers.median(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3);
    assertThat(Numbers.median(List.of())).isNaN();
    assertThat(Numbers.median(List.of(Double.NaN, 2.0))).isEqualTo(2);
  }

  @Test
  void samplesGrowAndKeepTheirOrder() {
    Samples samples = Samples.of(3);
    samples.add(1);
    for (int i = 0; i < 50; i++) {
      samples.add(i);
    }
    assertThat(samples.size()).isEqualTo(52);
    assertThat(samples.stream().limit(3)).containsExactly(3L, 1L, 0L);
    assertThat(Numbers.mean(Samples.of(1, 2, 6))).isEqualTo(3);
  }

  @Test
  void ofVeryManySamplesSomeAreKeptFromBeginningToEnd() {
    Samples samples = new Samples();
    for (int i = 0; i < 1_000_000; i++) {
      samples.add(i);
    }
    assertThat(samples.size()).isBetween(60_000, 140_000);
    assertThat(Numbers.percentile(samples, 0.5)).isBetween(490_000.0, 510_000.0);
    assertThat(Numbers.percentile(samples, 0.99)).isBetween(985_000.0, 995_000.0);
  }
}
