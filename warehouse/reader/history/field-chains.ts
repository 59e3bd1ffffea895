import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../schema.ts'
import { instantBounds } from './file-bounds.ts'
import type { HistorySource } from './history-source.ts'
import { markSeries, recordsQuery } from './series.ts'
import { filesOfSeries, instantIs, knownRows } from './series-sql.ts'

/**
 * Revisions of the values of marks. A row of `market_mark` has a mark and a midpoint, and it is revised if one of them changes. A value
 * that its row left as it was is no revision: it repeats what the row before stated, under an id of its own.
 */

/** Columns of a record that a revision changes; all others are names and clocks. */
const STATED = ['value', 'derivation_rule', 'source_observation_ids', 'quality_state', 'source_at'] as const

/** Returns the records of one value's chain that changed it, numbered as its revisions. @param chain by row revision, ascending */
export function statementsOf(chain: readonly Row[]): Row[] {
  const stated = chain.filter((record, place) => place === 0 || isChanged(record, chain[place - 1]!))
  return stated.map((record, place) => ({
    ...record,
    revision: place + 1,
    supersedes_id: place === 0 ? null : stated[place - 1]!.observation_id!,
    correction_reason: place === 0 ? null : record.correction_reason!,
  }))
}

function isChanged(record: Row, before: Row): boolean {
  return STATED.some((column) => JSON.stringify(record[column]) !== JSON.stringify(before[column]))
}

/** Returns records of one market, with the revisions of their own values in place of those of their rows of `market_mark`. */
export async function withFieldChains(source: HistorySource, records: readonly Row[], as_of: Micros): Promise<Row[]> {
  const revised = records.filter(isRevisedMark)
  const chains = revised.length === 0 ? new Map<string, Row[]>() : await readChains(source, revised, as_of)
  return records.map((record) => (isRevisedMark(record) ? placed(record, chains.get(chainKey(record))!) : record))
}

/** Returns a value of a mark with its revisions known at an instant. */
export async function fieldChainOf(
  source: HistorySource,
  record: Row,
  as_of: Micros,
): Promise<{ readonly row: Row; readonly chain: readonly string[] }> {
  const chain = (await readChains(source, [record], as_of)).get(chainKey(record))!
  return { row: placed(record, chain), chain: statementsOf(chain).map(({ observation_id }) => String(observation_id)) }
}

/** Numbers a record as the statement that it is, or repeats. */
function placed(record: Row, chain: readonly Row[]): Row {
  const known = chain.filter(({ revision }) => Number(revision) <= Number(record.revision))
  const { revision, supersedes_id, correction_reason } = statementsOf(known).at(-1)!
  return { ...record, revision: revision!, supersedes_id: supersedes_id!, correction_reason: correction_reason! }
}

/** Only records of `market_mark` have a tick. */
function isRevisedMark({ tick_at, revision }: Row): boolean {
  return tick_at != null && Number(revision) > 1
}

function chainKey({ venue_id, source_series_id, outcome_id, field, tick_at }: Row): string {
  return [venue_id, source_series_id ?? '', outcome_id, field, toMicros(tick_at)].join(' ')
}

/** Reads the records of every revision at the ticks of some records of one market, by the row's revision. */
async function readChains(source: HistorySource, records: readonly Row[], as_of: Micros): Promise<Map<string, Row[]>> {
  const series = markSeries({ market_id: String(records[0]!.market_id) }, null)
  const ticks = [...new Set(records.map(({ tick_at }) => toMicros(tick_at)))]
  const files = filesOfSeries(series, (await source.snapshot(series.table)).files, as_of).filter((file) => {
    const { from, to } = instantBounds(file, 'tick_at')
    return ticks.some((tick) => from <= tick && tick <= to)
  })
  const at_ticks = ticks.map((tick) => instantIs('tick_at', '=', tick)).join(' or ')
  const found = await source.query({ table: series.table, files }, (relation) => {
    const rows = `select ${series.columns.join(', ')} from ${relation(files)} where ${knownRows(series, as_of)} and (${at_ticks})`
    return `with kept as (${rows}), record as (${recordsQuery(series)}) select * from record order by revision`
  })
  const chains = new Map<string, Row[]>()
  for (const record of found) chains.set(chainKey(record), [...(chains.get(chainKey(record)) ?? []), record])
  return chains
}
