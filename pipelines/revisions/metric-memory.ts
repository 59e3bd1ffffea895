import type { MetricRecord } from '../venues/record.ts'
import { metricFacts } from './metric-revisions.ts'

/** Latest sizes of each market. A venue that is asked every few seconds repeats them many times. */
export class MetricMemory {
  readonly #last = new Map<string, string>()

  /** Returns whether a statement differs from the market's previous one, and remembers it. */
  isNews(metric: MetricRecord): boolean {
    const market = `${metric.venue_id}\u001f${metric.source_market_id}`
    const { content } = metricFacts(metric)
    if (this.#last.get(market) === content) return false
    this.#last.set(market, content)
    return true
  }
}
