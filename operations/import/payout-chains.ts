import type { PayoutPoint } from '../../pipelines/venues/derive-resolutions.ts'
import type { QuoteRecord } from '../../pipelines/venues/record.ts'
import type { KnownRecords } from './read-known.ts'
import type { PlannedTable } from './table-plan.ts'

/**
 * Every revision, stored or in the archive, of the quote chains of an archive that are final at some time: what their
 * resolutions follow from. Stored ones count too, so that an import that ended between two tables is made whole by the next.
 */
export function payoutChains(
  { sorted, keys, decisions, rule }: PlannedTable<QuoteRecord>,
  known: KnownRecords['quotes'],
): PayoutPoint[][] {
  const chains = new Map<string, PayoutPoint[]>()
  sorted.forEach((quote, place) => {
    const key = keys[place]!
    if (decisions[place] === 'conflict' || chains.has(key)) return
    const stored = known.get(key) ?? []
    if (quote.is_final || stored.some(({ kind }) => kind === 'final')) chains.set(key, storedPoints(quote, stored))
  })
  sorted.forEach((quote, place) => {
    const points = decisions[place] === 'conflict' ? undefined : chains.get(keys[place]!)
    if (points === undefined) return
    const twin = points.findIndex(({ received_at }) => received_at === quote.received_at)
    const point = { ...whereOf(quote), ...revisionOf(quote, rule.idOf(quote)) }
    if (twin < 0) points.push(point)
    else points[twin] = point
  })
  return [...chains.values()]
}

function whereOf({ file, line, venue_id, source_series_id, source_market_id, source_at }: QuoteRecord) {
  return { file, line, venue_id, source_series_id, source_market_id, source_at }
}

function revisionOf(quote: QuoteRecord, record_id: string) {
  const { received_at, is_final, reported_probability, text } = quote
  return { received_at, is_final, value: reported_probability, record_id, text }
}

function storedPoints(
  quote: QuoteRecord,
  stored: readonly { id: string; received_at: number; kind: string; value: string | null }[],
): PayoutPoint[] {
  return stored.map(({ id, received_at, kind, value }) => {
    return { ...whereOf(quote), received_at, is_final: kind === 'final', value, record_id: id, text: null }
  })
}
