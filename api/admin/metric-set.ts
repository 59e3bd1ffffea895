import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metric as the documents list it. */
export type MetricFacts = {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
}

/** Values of a metric by those of its label. */
type Values = Readonly<Record<string, number>>

/** Metrics of one process in the Prometheus text format. */
export type MetricSet = {
  readonly content_type: string
  readonly text: () => Promise<string>
  /** Adds a gauge whose value is read at each request. */
  gauge(name: string, help: string, read: () => number): void
  /** Adds a gauge with one value for each value of a label; values that are no longer read are dropped. */
  labelled(name: string, help: string, label: string, read: () => Values | Promise<Values>): void
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>
  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly Label[],
  ): Histogram<Label>
  /** Adds a counter whose total for each value of a label is kept elsewhere and read at each request. */
  totals(name: string, help: string, label: string, read: () => Values | Promise<Values>): void
  /** Our own metrics, without those of Node and the process. */
  describe(): readonly MetricFacts[]
}

/** Creates the metrics of this process; memory, CPU and the event loop are in it from the start. */
export function createMetricSet(): MetricSet {
  const registry = new Registry()
  const registers = [registry]
  const facts: MetricFacts[] = []
  collectDefaultMetrics({ register: registry })
  const described = <Label extends string>(type: string, name: string, help: string, labels: readonly Label[] = []) => {
    facts.push({ name, type, help, labels })
    return { name, help, registers, labelNames: [...labels] }
  }
  /** Gives a metric that is kept elsewhere its values at each request. */
  const copied =
    (label: string, read: () => Values | Promise<Values>) =>
    async (metric: Gauge<string> | Counter<string>): Promise<void> => {
      const values = await read()
      metric.reset()
      for (const [value, amount] of Object.entries(values)) metric.inc({ [label]: value }, amount)
    }
  return {
    content_type: registry.contentType,
    text: () => registry.metrics(),
    describe: () => facts,
    gauge: (name, help, read) => {
      new Gauge({
        ...described('gauge', name, help),
        collect() {
          this.set(read())
        },
      })
    },
    labelled: (name, help, label, read) => {
      const copy = copied(label, read)
      new Gauge({
        ...described('gauge', name, help, [label]),
        collect() {
          return copy(this)
        },
      })
    },
    totals: (name, help, label, read) => {
      const copy = copied(label, read)
      new Counter({
        ...described('counter', name, help, [label]),
        collect() {
          return copy(this)
        },
      })
    },
    counter: (name, help, labels) => new Counter(described('counter', name, help, labels)),
    histogram: (name, help, buckets, labels) =>
      new Histogram({ ...described('histogram', name, help, labels), buckets: [...buckets] }),
  }
}
