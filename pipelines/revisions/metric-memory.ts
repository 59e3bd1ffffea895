import type { MetricRecord } from '../venues/record.ts'
import { metricFacts } from './metric-revisions.ts'

/** The sizes last stated of each market. A venue that is asked every few seconds says the same many times. */
export class MetricMemory {
  readonly #last = new Map<string, string>()

  /** False when the statement about the market before this one said the same. */
  isNews(metric: MetricRecord): boolean {
    const market = `${metric.venue_id}\u001f${metric.source_market_id}`
    const { content } = metricFacts(metric)
    if (this.#last.get(market) === content) return false
    this.#last.set(market, content)
    return true
  }
}
