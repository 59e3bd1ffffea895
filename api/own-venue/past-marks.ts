import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { FeedCommit, FeedRow, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'

/** Marks of a market before a commit replaced them. */
type Replaced = { readonly until: Micros; readonly rows: readonly Row[] }

/** The marks in memory as of each instant of the last seconds; memory alone has only the newest. */
export class PastMarks {
  readonly #latest: Pick<Reader['latest'], 'marks'>
  /** By market, oldest first. */
  readonly #replaced = new Map<string, readonly Replaced[]>()

  constructor(latest: Pick<Reader['latest'], 'marks'>) {
    this.#latest = latest
  }

  /** Returns the newest marks of a market that were published by an instant. */
  at(market_id: string, at: Micros): readonly Row[] {
    const replaced = this.#replaced.get(market_id)?.find(({ until }) => until > at)
    return replaced?.rows ?? this.#newest(market_id)
  }

  /**
   * Keeps what a commit of marks has replaced; call it once memory has the commit.
   * @param oldest no earlier instant is asked for
   */
  take({ rows }: FeedCommit, isKept: (market_id: string) => boolean, oldest: Micros): void {
    const kept = rows.filter(({ row }) => isKept(String(row.market_id)))
    const added = new Map(kept.map((one) => [one.row, one]))
    for (const market_id of new Set(kept.map(({ row }) => String(row.market_id)))) {
      const before = this.#newest(market_id).flatMap((row) => rowBefore(row, added))
      const earlier = (this.#replaced.get(market_id) ?? []).filter(({ until }) => until > oldest)
      this.#replaced.set(market_id, [...earlier, { until: toMicros(rows[0]!.row.published_at), rows: before }])
    }
  }

  #newest(market_id: string): readonly Row[] {
    return this.#latest.marks(market_id).map(({ row }) => row)
  }
}

/** Returns the row that was the newest of the same key before a commit; none: the commit has its first. */
function rowBefore(row: Row, added: ReadonlyMap<Row, FeedRow>): readonly Row[] {
  const one = added.get(row)
  if (one === undefined) return [row]
  return one.previous === null ? [] : rowBefore(one.previous.row, added)
}
