import type { Leg } from '../../pipelines/index/version.ts'
import { canFreeze } from '../../pipelines/market/freeze.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import {
  ArchiveQuotes,
  type Counting,
  dayOf,
  type Facts,
  readFacts,
  readLateDays,
  readMarkedLegs,
  type Ticks,
} from './archive-records.ts'
import type { ArchiveMarksRequest } from './archive-request.ts'
import { MARK_PARAMETERS } from './live-marks.ts'
import { MARK_STEP, tickFrom } from './mark-ticks.ts'
import { markDueBefore } from './publish-marks.ts'

/** Inputs of the marks of an archive, and the ticks at which they are computed and published. */
export type ArchivePlan = {
  readonly market_ids: readonly string[]
  readonly legs: readonly Leg[]
  readonly facts: ReadonlyMap<string, Facts>
  readonly quotes: ArchiveQuotes
  /** First tick that is computed: earlier than the first published one, to remember what that one needs. */
  readonly begin: Micros
  readonly spans: readonly Ticks[]
  /** Ticks whose marks are published. */
  readonly windows: readonly Ticks[]
  /** First tick that this clock may publish; null: all. */
  readonly resume_at: Micros | null
  /** Last tick of the published marks; null: none. */
  readonly last_tick: Micros | null
}

/** Quote records that are in memory at once, roughly. */
const SPAN_RECORDS = 20_000

/**
 * Plans the marks of an archive; null where its markets have nothing to make marks from.
 * @param clocks now, and the instant through which marks are published or sealed
 */
export async function planArchiveMarks(
  session: ReadSession,
  { markets, is_late, clock }: ArchiveMarksRequest,
  clocks: { readonly now: Micros; readonly sealed_through: Micros | null },
): Promise<ArchivePlan | null> {
  const market_ids = [...new Set(markets.map(({ market_id }) => market_id))]
  const legs = await readMarkedLegs(session, market_ids)
  if (legs.length === 0) return null
  const from_publication = clock === 'recorded'
  const late_days = from_publication ? [] : await readLateDays(session, market_ids)
  if (is_late) for (const { market_id, from, to } of markets) late_days.push(...daysOf(market_id, from, to))
  const read = async (days: readonly string[]) => {
    const counting: Counting = { from_publication, late_days: new Set(days) }
    return { counting, facts: await readFacts(session, legs, counting) }
  }
  let known = await read(late_days)
  const settled = is_late ? lateSettlements(legs, known.facts) : []
  if (settled.length > 0) known = await read([...late_days, ...settled.map(({ day }) => day)])
  const last_tick = await lastTick(session, market_ids)
  const due_before = markDueBefore(Number.MAX_SAFE_INTEGER, clocks.now)
  const windows = [rangeOf(markets, last_tick), ...settled.map(({ at }) => ({ from: at, to: at + 1 }))]
    .map(({ from, to }) => ({ from, to: Math.min(to, due_before) }))
    .filter(({ from, to }) => from < to)
  if (windows.length === 0) return null
  const from = Math.min(...windows.map((window) => window.from))
  const to = Math.max(...windows.map((window) => window.to))
  const starts = startsOf(legs, known.facts, from)
  const quotes = new ArchiveQuotes(session, starts, known.counting)
  const begin = [...starts.values()].reduce((first, start) => Math.min(first, start), from)
  const { sealed_through } = clocks
  return {
    ...{ market_ids, legs, facts: known.facts, quotes, begin, windows, last_tick },
    spans: spansOf(await quotes.loads(to), { from: begin, to }),
    resume_at: !from_publication || sealed_through === null ? null : tickAfter(sealed_through),
  }
}

/** The first tick whose marks are published after an instant under the recorded clock, which stamps them at tick + grace. */
function tickAfter(sealed_through: Micros): Micros {
  return tickFrom(sealed_through - MARK_PARAMETERS.grace + 1)
}

/** UTC days of [from, to). */
function daysOf(market_id: string, from: Micros, to: Micros): string[] {
  const days: string[] = []
  for (let at = from; at < to; at += MICROS_PER_DAY) days.push(dayOf(market_id, at))
  return to > from ? [...days, dayOf(market_id, to - 1)] : days
}

/** Final resolutions that were received after they could be admitted: the day and first tick of each. */
function lateSettlements(
  legs: readonly Leg[],
  facts: ReadonlyMap<string, Facts>,
): { readonly day: string; readonly at: Micros }[] {
  return legs.flatMap(({ key, market_id }) =>
    facts
      .get(key)!
      .resolutions.filter(({ finality }) => finality === 'final')
      .filter(({ source_at, received_at }) => received_at > source_at + MARK_STEP)
      .map(({ source_at }) => ({ day: dayOf(market_id, source_at), at: tickFrom(source_at) })),
  )
}

/**
 * Ticks of some markets, to the first one that admits the last record. Marks that were published for later ticks may carry a mark
 * or remember prices of these: they are looked at too, as far as a mark can be carried.
 */
function rangeOf(markets: ArchiveMarksRequest['markets'], last_tick: Micros | null): Ticks {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const market of markets) {
    from = Math.min(from, tickFrom(market.from - MARK_PARAMETERS.grace))
    to = Math.max(to, tickFrom(market.to) + 1)
  }
  const later = last_tick === null ? to : Math.min(last_tick + 1, to + MARK_PARAMETERS.max_carry)
  return { from, to: Math.max(to, later) }
}

/** First tick that counts for each market: what can freeze may need its oldest record, all others none older than max_carry. */
function startsOf(legs: readonly Leg[], facts: ReadonlyMap<string, Facts>, from: Micros): Map<string, Micros> {
  const starts = new Map<string, Micros>()
  for (const { key, market_id } of legs) {
    const start = canFreeze(facts.get(key)!) ? 0 : Math.max(0, tickFrom(from - MARK_PARAMETERS.max_carry))
    starts.set(market_id, Math.min(start, starts.get(market_id) ?? start))
  }
  return starts
}

/** Cuts ticks into spans that admit a bounded number of records. */
function spansOf(loads: readonly { readonly from: Micros; readonly records: number }[], { from, to }: Ticks): Ticks[] {
  const bounds = [from]
  let records = 0
  for (const load of loads) {
    if (records > 0 && records + load.records > SPAN_RECORDS && load.from > bounds.at(-1)!) {
      bounds.push(load.from)
      records = 0
    }
    records += load.records
  }
  return [...bounds, to].slice(1).map((end, n) => ({ from: bounds[n]!, to: end }))
}

async function lastTick(session: ReadSession, market_ids: readonly string[]): Promise<Micros | null> {
  const [row] = await session.query(readSql(import.meta.url, 'sql/last_mark_tick.sql'), { market_ids })
  return typeof row?.last_tick === 'string' ? toMicros(row.last_tick) : null
}
