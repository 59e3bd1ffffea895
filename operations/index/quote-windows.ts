import type { LegData, QuoteColumns } from '../../pipelines/index/admission.ts'
import { joinQuotes, NO_QUOTES, retainQuotes, type WindowNeeds } from '../../pipelines/index/quote-window.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { outcomeIdOf } from '../../pipelines/revisions/identity.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { QuoteTable } from './leg-records.ts'
import { complementLabel, groupKey, quoteColumns } from './load-leg-data.ts'

/** The quotes of one outcome and series. */
export type QuoteWindow = { readonly key: string; readonly market_id: string; readonly columns: QuoteColumns }

/** Quotes that upcoming ticks can see, by outcome and series: those retained, and those read since. */
export class QuoteWindows {
  readonly #columns = new Map<string, QuoteColumns>()
  readonly #markets = new Map<string, string>()

  /** @param windows to continue from */
  constructor(windows: Iterable<QuoteWindow> = []) {
    for (const { key, market_id, columns } of windows) {
      this.#columns.set(key, columns)
      this.#markets.set(key, market_id)
    }
  }

  /** All windows, by outcome and series. */
  entries(): QuoteWindow[] {
    return [...this.#columns].map(([key, columns]) => ({ key, market_id: this.#markets.get(key)!, columns }))
  }

  /** Adds what was read. */
  take(table: QuoteTable): void {
    for (const group of table.groups) {
      const key = groupKey(group.outcome_id, group.source_series_id)
      this.#columns.set(key, joinQuotes(this.#of(key), quoteColumns(table, group)))
      this.#markets.set(key, group.market_id)
    }
  }

  /** The quotes of a leg's outcome, and of the other one of a binary market where it has any. */
  of(leg: Leg): Pick<LegData, 'quotes' | 'other'> {
    const series = leg.source_series_id ?? ''
    const label = complementLabel(leg.outcome)
    const other = label === null ? undefined : this.#columns.get(groupKey(outcomeIdOf(leg.market_id, label), series))
    return { quotes: this.#of(groupKey(leg.outcome_id, series)), other: other ?? null }
  }

  /** Forgets what no tick at or after an instant, a market's own, can see. */
  retain(at: (market_id: string) => Micros, needs: WindowNeeds): void {
    for (const { key, market_id, columns } of this.entries())
      this.#columns.set(key, retainQuotes(columns, at(market_id), needs))
  }

  merge(other: QuoteWindows): void {
    for (const { key, market_id, columns } of other.entries()) {
      this.#columns.set(key, joinQuotes(this.#of(key), columns))
      this.#markets.set(key, market_id)
    }
  }

  #of(key: string): QuoteColumns {
    return this.#columns.get(key) ?? NO_QUOTES
  }
}
