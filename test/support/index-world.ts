import type { LegData, QuoteColumns } from '../../pipelines/index/admission.ts'
import { admissionOf } from '../../pipelines/index/admit.ts'
import { type Definition, decodeDefinition } from '../../pipelines/index/definition.ts'
import type { ConstituentFile, DefinitionFile, VersionFile } from '../../pipelines/index/definition-schema.ts'
import { decodeParameters, type Parameters, resolveParameters } from '../../pipelines/index/parameters.ts'
import { indexSeries, type SeriesOptions, type SeriesStep } from '../../pipelines/index/series.ts'
import type { IndexSpec, Leg } from '../../pipelines/index/version.ts'
import { C_RULE, type Mark } from '../../pipelines/market/mark.ts'
import type { MarketState, Quote, Resolution } from '../../pipelines/market/quote.ts'
import { Decimal, parseDecimal } from '../../primitives/decimal.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'

/** A small named world for the calculation's tests: quotes, legs and definitions written with strings and seconds. */

export const SECOND: Micros = 1_000_000
export const MINUTE: Micros = 60 * SECOND
export const HOUR: Micros = 60 * MINUTE
export const DAY: Micros = 24 * HOUR
/** The instant that the tests call now: a tick of every frequency. */
export const NOW: Micros = toMicros('2026-11-21T00:00:00Z')

export const d = (text: string) => new Decimal(text)

/** A quote record: decimals as text, instants in microseconds; received when it was about unless written. */
export type QuoteText = {
  readonly record_id?: string
  readonly revision?: number
  readonly source_at?: Micros
  readonly received_at?: Micros
  /** When it could first be used; with one written, every quote of the columns has one. */
  readonly known_at?: Micros
  readonly confirmed_at?: Micros
  readonly bid?: string
  readonly ask?: string
  readonly bid_depth?: string
  readonly ask_depth?: string
  readonly last_trade?: string
  readonly last_trade_at?: Micros
  readonly reported_probability?: string
}

/** A quote as the mark rules see it; source_at is NOW unless written. */
export function quote(text: QuoteText): Quote {
  const dec = (value: string | undefined) => (value === undefined ? null : parseDecimal(value, 'test'))
  const source_at = text.source_at ?? NOW
  return {
    record_id: text.record_id ?? 'obs_q',
    revision: text.revision ?? 1,
    source_at,
    received_at: text.received_at ?? source_at,
    confirmed_at: text.confirmed_at ?? null,
    source_sequence: null,
    bid: dec(text.bid),
    ask: dec(text.ask),
    bid_depth: dec(text.bid_depth),
    ask_depth: dec(text.ask_depth),
    last_trade: dec(text.last_trade),
    last_trade_at: text.last_trade_at ?? null,
    reported_probability: dec(text.reported_probability),
  }
}

/** Quotes as the columns that admission reads. */
export function columns(texts: readonly QuoteText[]): QuoteColumns {
  const rows = texts.map((text, i) => quote({ record_id: `obs_${i}`, ...text }))
  const scaled = (value: Decimal | null, scale: number) => (value === null ? Number.NaN : +value.times(scale).toFixed())
  const column = (pick: (row: Quote) => number | null) => Float64Array.from(rows, (row) => pick(row) ?? Number.NaN)
  return {
    length: rows.length,
    recordId: (row) => rows[row]!.record_id,
    source_at: column((row) => row.source_at),
    received_at: column((row) => row.received_at),
    revision: Int32Array.from(rows, (row) => row.revision),
    ...(texts.some((text) => text.known_at !== undefined)
      ? { known_at: Float64Array.from(rows, (row, i) => texts[i]!.known_at ?? row.received_at) }
      : {}),
    confirmed_at: column((row) => row.confirmed_at),
    bid: column((row) => scaled(row.bid, 1e9)),
    ask: column((row) => scaled(row.ask, 1e9)),
    bid_depth: column((row) => scaled(row.bid_depth, 1e6)),
    ask_depth: column((row) => scaled(row.ask_depth, 1e6)),
    last_trade: column((row) => scaled(row.last_trade, 1e9)),
    last_trade_at: column((row) => row.last_trade_at),
    reported_probability: column((row) => scaled(row.reported_probability, 1e9)),
  }
}

/** A leg's records; what is left out is empty. */
export function legData(quotes: readonly QuoteText[], rest: Partial<LegData> = {}): LegData {
  return { quotes: columns(quotes), other: null, resolutions: [], states: [], trades: [], ...rest }
}

export function resolution(at: Micros, payout: string | null, rest: Partial<Resolution> = {}): Resolution {
  return {
    resolution_id: `res_${at}`,
    evidence_id: `res_${at}`,
    revision: 1,
    source_at: at,
    received_at: at,
    finality: 'final',
    payout: payout === null ? null : d(payout),
    ...rest,
  }
}

export function marketState(at: Micros, status: MarketState['status'], rest: Partial<MarketState> = {}): MarketState {
  return { source_at: at, received_at: at, revision: 1, status, closes_at: null, expected_resolution_at: null, ...rest }
}

/** A mark as a rule would have formed it at its own source time. */
export function mark(value: string, at: Micros, rest: Partial<Mark> = {}): Mark {
  return {
    rule: 'M1',
    origin_rule: 'M1',
    value: d(value),
    c_rule: C_RULE.M1,
    source_at: at,
    confirmed_at: at,
    cutoff_at: at,
    source_ids: [`obs_${value}_${at}`],
    derivation_rule: null,
    ...rest,
  }
}

export const parameters = (given: Record<string, string> = {}): Parameters => decodeParameters(resolveParameters(given))

/** A definition file with one version, from NOW on; every part may be replaced. */
export function definitionFile(
  constituents: readonly Partial<ConstituentFile>[],
  rest: {
    readonly parameters?: Record<string, string>
    readonly version?: Partial<VersionFile>
    readonly versions?: readonly Partial<VersionFile>[]
    readonly base_date?: Instant
  } = {},
): DefinitionFile {
  const version: VersionFile = {
    version: '1',
    effective_from: '2026-11-21T00:00:00Z',
    calculation_frequency: 'PT1M',
    constituents: constituents.map(constituentFile),
  }
  return {
    index: {
      index_id: 'idx_demo',
      slug: 'demo',
      symbol: 'DEMO',
      name: 'Demo',
      base_value: '1000',
      base_date: rest.base_date ?? version.effective_from,
    },
    methodology: {
      methodology_id: 'mth_demo',
      version: '1.0.0',
      name: 'Demo',
      parameters: rest.parameters ?? {},
    },
    versions: [{ ...version, ...rest.version }, ...(rest.versions ?? []).map((later) => ({ ...version, ...later }))],
  }
}

/** A constituent at venue `test` whose market is named after it. */
export function constituentFile(part: Partial<ConstituentFile>): ConstituentFile {
  const constituent_id = part.constituent_id ?? 'con_a'
  const own = part.legs === undefined ? { venue_id: 'test', source_market_id: constituent_id } : {}
  return { constituent_id, ...own, ...part }
}

export function specOf(definition: Definition): IndexSpec {
  const { index, versions } = definition
  return {
    index_id: index.index_id,
    unit: index.unit,
    base_value: parseDecimal(index.base_value, 'base_value'),
    base_date: toMicros(index.base_date),
    versions: versions.map(({ version }) => version),
  }
}

/** Every leg of a spec by its key. */
export function legsByKey(spec: IndexSpec): Map<string, Leg> {
  return new Map(
    spec.versions.flatMap((v) => v.constituents.flatMap((c) => c.legs.map((leg) => [leg.key, leg] as const))),
  )
}

/** The series of a definition over records by source_market_id (a leg without records has none). */
export function series(
  file: DefinitionFile,
  records: Readonly<Record<string, LegData>>,
  options: Omit<SeriesOptions, 'to'> & { readonly to: Micros; readonly grace?: Micros },
): SeriesStep[] {
  const spec = specOf(decodeDefinition(file))
  const data = new Map(
    [...legsByKey(spec)].map(([key, leg]) => [key, records[leg.source_market_id] ?? legData([])] as const),
  )
  return [...indexSeries(spec, admissionOf(data, options.grace), options)]
}
