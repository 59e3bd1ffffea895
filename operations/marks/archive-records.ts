import type { LegData } from '../../pipelines/index/admission.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { type CountingParameters, countedFrom, countingParameters } from '../index/counting.ts'
import { type QuoteTable, quoteTable, readLegRows } from '../index/leg-records.ts'
import { groupRows, resolutionOf, stateOf } from '../index/load-leg-data.ts'
import { MARK_PARAMETERS, markedLeg } from './live-marks.ts'
import { MARK_STEP } from './mark-ticks.ts'

/** Instants from which records count for the marks of an archive. */
export type Counting = {
  /** Every record counts from its publication, as the recorded clock demands. */
  readonly from_publication: boolean
  /** Days of markets, named by `dayOf`, whose records count from their source instant: a backfill read them later. */
  readonly late_days: ReadonlySet<string>
}

/** Statuses and resolutions of a market, as its outcomes see them. */
export type Facts = Pick<LegData, 'resolutions' | 'states'>

/** Markets whose statuses and resolutions are read at once. */
const MARKETS_AT_ONCE = 2_000

/** Names the UTC day of an instant at a market. */
export function dayOf(market_id: string, at: Micros): string {
  return `${market_id} ${at - (at % MICROS_PER_DAY)}`
}

/** The outcomes of markets that have quotes or a resolution, once for each series, those of one market and series together. */
export async function readMarkedLegs(session: ReadSession, market_ids: readonly string[]): Promise<Leg[]> {
  return (await session.query(readSql(import.meta.url, 'sql/marked_outcomes.sql'), { market_ids })).map(markedLeg)
}

/** Days of markets on which published marks were made of records that a backfill read later. */
export async function readLateDays(session: ReadSession, market_ids: readonly string[]): Promise<string[]> {
  const params = { market_ids, grace_us: MARK_PARAMETERS.grace }
  const rows = await session.query(readSql(import.meta.url, 'sql/late_mark_days.sql'), params)
  return rows.map(({ key }) => String(key))
}

/** Statuses and resolutions of every leg, by its key. */
export async function readFacts(
  session: ReadSession,
  legs: readonly Leg[],
  counting: Counting,
): Promise<ReadonlyMap<string, Facts>> {
  const facts = new Map<string, Facts>()
  const by_market = groupRows(legs as unknown as readonly Row[]) as unknown as Map<string, Leg[]>
  const ids = [...by_market.keys()]
  for (let from = 0; from < ids.length; from += MARKETS_AT_ONCE) {
    const market_ids = ids.slice(from, from + MARKETS_AT_ONCE)
    const rows = await readLegRows(session, { market_ids, ...countingParameters(counting.from_publication) }, false)
    const [resolutions, states] = [rows.resolutions, rows.states].map((found) => groupRows(found))
    for (const id of market_ids)
      for (const leg of by_market.get(id)!)
        facts.set(leg.key, factsOf(leg, resolutions!.get(id) ?? [], states!.get(id) ?? [], counting))
  }
  return facts
}

function factsOf(leg: Leg, resolutions: readonly Row[], states: readonly Row[], { late_days }: Counting): Facts {
  const series = leg.source_series_id ?? ''
  const isLate = (row: Row) => late_days.has(dayOf(String(row.market_id), toMicros(row.source_at)))
  const counted = (row: Row): Row => (isLate(row) ? { ...row, known_at: row.source_at! } : row)
  return {
    resolutions: resolutions
      .filter((row) => row.source_series_id === series)
      .map((row) => resolutionOf(counted(row), leg.outcome_id)),
    states: states.map((row) => stateOf(counted(row))),
  }
}

/** Ticks [from, to). */
export type Ticks = { readonly from: Micros; readonly to: Micros }

/** Quotes of some markets, each from a first tick of its own on. */
export class ArchiveQuotes {
  readonly #session: ReadSession
  readonly #params: CountingParameters & Readonly<Record<string, string | number | readonly string[]>>

  /** @param starts first tick of each market, a multiple of the step; what counts before it counts at it */
  constructor(session: ReadSession, starts: ReadonlyMap<string, Micros>, counting: Counting) {
    this.#session = session
    this.#params = {
      market_ids: [...starts.keys()],
      starts_us: [...starts.values()].map(String),
      grace_us: MARK_PARAMETERS.grace,
      step_us: MARK_STEP,
      ...countingParameters(counting.from_publication),
      late_days: [...counting.late_days],
    }
  }

  /** Counts the records that ticks before an instant are the first to admit, ten minutes after ten minutes. */
  async loads(to: Micros): Promise<{ readonly from: Micros; readonly records: number }[]> {
    const rows = await this.#session.query(this.#sql('sql/archive_loads.sql'), { ...this.#params, to_us: to })
    return rows.map(({ from_us, records }) => ({ from: Number(from_us), records: Number(records) }))
  }

  /** The records that ticks of a range are the first to admit. */
  async read({ from, to }: Ticks): Promise<QuoteTable> {
    const params = { ...this.#params, from_us: from, to_us: to }
    return quoteTable(await this.#session.columns(this.#sql('sql/archive_quotes.sql'), params))
  }

  #sql(path: string): string {
    const counted = readSql(import.meta.url, 'sql/archive_counted.sql', { counted_from: countedFrom() })
    return readSql(import.meta.url, path, { counted })
  }
}
