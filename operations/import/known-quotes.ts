import type { KnownRevision } from '../../pipelines/revisions/plan-revisions.ts'
import { quoteChain, quoteFacts } from '../../pipelines/revisions/quote-revisions.ts'
import type { DecimalString } from '../../primitives/decimal.ts'
import { invariant } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { fromScaled } from '../../primitives/scaled.ts'
import type { Column, ColumnSet } from '../../warehouse/duckdb/read/columns.ts'

/** A stored quote revision, with the probability that a resolution pays. */
export type KnownQuote = KnownRevision & { readonly value: DecimalString | null }

/** Stored revisions by quote chain, from the columns of known_quotes.sql. */
export function knownQuotes({ row_count, columns }: ColumnSet): Map<string, KnownQuote[]> {
  const read = cellReaders(columns)
  const chains = new Map<string, KnownQuote[]>()
  for (let row = 0; row < row_count; row += 1) {
    const value = read.decimal('reported_probability', row)
    const book = {
      bid: read.decimal('bid', row),
      ask: read.decimal('ask', row),
      bid_depth: read.decimal('bid_depth', row),
      ask_depth: read.decimal('ask_depth', row),
      last_trade: read.decimal('last_trade', row),
      last_trade_at: read.instant('last_trade_at', row),
      source_sequence: null,
      confirmed_at: null,
    }
    const raw_value = read.text('raw_value', row)
    const known = {
      id: read.text('record_id', row)!,
      revision: read.integer('revision', row),
      received_at: read.instant('received_at', row)!,
      value,
      ...quoteFacts({ is_final: read.flag('is_final', row), raw_value, reported_probability: value, book }),
    }
    const series = read.text('source_series_id', row)
    const source_at = read.instant('source_at', row)!
    const chain = quoteChain(read.text('venue_id', row)!, series, read.text('outcome_id', row)!, source_at)
    const revisions = chains.get(chain)
    if (revisions === undefined) chains.set(chain, [known])
    else revisions.push(known)
  }
  return chains
}

/** Readers of one cell each by column name; null where the cell is null. */
function cellReaders(columns: ColumnSet['columns']) {
  const column = <K extends Column['kind']>(name: string, kind: K): Extract<Column, { kind: K }> => {
    const found = columns[name]
    invariant(found?.kind === kind, `known_quotes.sql: ${name} is no ${kind} column`)
    return found as Extract<Column, { kind: K }>
  }
  return {
    text(name: string, row: number): string | null {
      const { codes, dictionary } = column(name, 'text')
      return codes[row] === -1 ? null : dictionary[codes[row]!]!
    },
    instant(name: string, row: number): Micros | null {
      const micros = column(name, 'instant').values[row]!
      return Number.isNaN(micros) ? null : micros
    },
    decimal(name: string, row: number): DecimalString | null {
      const { values, valid, scale } = column(name, 'integer')
      return valid !== null && valid[row] === 0 ? null : fromScaled(values[row]!, scale)
    },
    integer: (name: string, row: number): number => Number(column(name, 'integer').values[row]!),
    flag: (name: string, row: number): boolean => column(name, 'boolean').values[row] === 1,
  }
}
