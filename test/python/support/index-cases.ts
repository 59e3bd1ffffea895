import fc from 'fast-check'
import { type LegData, type QuoteColumns, quoteAt } from '../../../pipelines/index/admission.ts'
import { admissionOf, LATE_DATA_GRACE } from '../../../pipelines/index/admit.ts'
import { indexSeries, type SeriesStep } from '../../../pipelines/index/series.ts'
import type { IndexSpec, IndexVersion } from '../../../pipelines/index/version.ts'
import { Decimal } from '../../../primitives/decimal.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { MINUTE, START } from '../../pipelines/index/exact/support/random-data.ts'
import { randomSpec } from '../../pipelines/index/exact/support/random-spec.ts'
import { randomWorld } from '../../pipelines/index/exact/support/random-world.ts'
import type { Legs } from '../../pipelines/index/exact/support/step-texts.ts'

/** Ticks of a case, from the start of its world on. */
const TICKS = 32

const gates = fc.option(fc.record({ halt: fc.nat(20), scheduled: fc.nat(20) }), { nil: null })
const links = fc.dictionary(
  fc.constantFrom('idv_random_0', 'idv_random_1'),
  fc.constantFrom('777.5', '1234.123456789012'),
)

/** Random indexes over random worlds as JSON, each with what the engine computes: input of the second implementation. */
export function indexCases(count: number, seed: number): readonly object[] {
  return fc.sample(fc.tuple(randomSpec, randomWorld, gates, links, fc.boolean()), { numRuns: count, seed }).map(caseOf)
}

type Gate = { readonly halt: number; readonly scheduled: number } | null

/** Leaves out rows that only their place in memory tells apart: stored records of one chain differ in source time or revision. */
function withoutTies(columns: QuoteColumns): QuoteColumns {
  const seen = new Set<string>()
  const rows = Array.from({ length: columns.length }, (_, row) => row).filter((row) => {
    const name = `${columns.source_at[row]} ${columns.received_at[row]} ${columns.revision[row]}`
    return !seen.has(name) && seen.add(name)
  })
  const arrays = Object.entries(columns).flatMap(([name, column]) =>
    ArrayBuffer.isView(column) ? [[name, (column as Float64Array).filter((_, row) => rows.includes(row))]] : [],
  )
  return {
    ...columns,
    ...Object.fromEntries(arrays),
    length: rows.length,
    recordId: (row: number) => columns.recordId(rows[row]!),
  }
}

function legWithoutTies(leg: LegData): LegData {
  return { ...leg, quotes: withoutTies(leg.quotes), other: leg.other === null ? null : withoutTies(leg.other) }
}

function caseOf([spec, drawn, gate, published, late]: [
  IndexSpec,
  Legs,
  Gate,
  Record<string, string>,
  boolean,
]): object {
  const legs: Legs = new Map([...drawn].map(([name, leg]) => [name, legWithoutTies(leg)]))
  const options = {
    to: START + TICKS * MINUTE,
    published_links: new Map(Object.entries(published).map(([id, k]) => [id, new Decimal(k)])),
    ...(late ? { grace_override: LATE_DATA_GRACE } : {}),
    ...(gate === null
      ? {}
      : {
          gate: (tick: number) => ({
            halted: tick === START + gate.halt * MINUTE,
            scheduled: tick < START + gate.scheduled * MINUTE,
          }),
        }),
  }
  const expected: object[] = []
  let error: string | null = null
  try {
    for (const step of indexSeries(spec, admissionOf(legs, options.grace_override), options))
      expected.push(tickOf(step))
  } catch (caught) {
    if (!isServiceError(caught)) throw caught
    error = caught.code
  }
  return {
    base_value: spec.base_value.toFixed(),
    base_date: spec.base_date,
    to: options.to,
    start: START,
    gate,
    late,
    links: published,
    versions: spec.versions.map(versionOf),
    legs: Object.fromEntries([...legs].map(([name, leg]) => [name, legOf(leg)])),
    expected,
    error,
  }
}

function tickOf({ result }: SeriesStep): object {
  return {
    tick_at: result.tick_at,
    version: result.version.version,
    level: result.level,
    source_cutoff_at: result.source_cutoff_at,
    quality_state: result.quality_state,
    coverage_ratio: result.coverage_ratio,
    confidence: result.confidence,
    link_factor: result.link_factor?.toFixed() ?? null,
    missing: result.missing_constituent_ids,
    excluded: result.excluded_inputs,
    sources: result.input_observation_ids,
    reasons: result.reason_codes,
  }
}

function versionOf(version: IndexVersion): object {
  const { minimum_coverage_ratio, roll, methodology, constituents } = version
  return {
    ...version,
    minimum_coverage_ratio: minimum_coverage_ratio.toFixed(),
    roll:
      roll === null ? null : { ...roll, target_days: roll.target_days.toFixed(), stop_days: roll.stop_days.toFixed() },
    methodology: undefined,
    parameters: methodology.texts,
    constituents: constituents.map((item) => ({
      ...item,
      target_weight: item.target_weight.toFixed(),
      legs: item.legs.map((leg) => ({ ...leg, pool_weight: leg.pool_weight.toFixed() })),
    })),
  }
}

function legOf({ quotes, other, resolutions, states, trades }: LegData): object {
  return {
    quotes: quotesOf(quotes),
    other: other === null ? null : quotesOf(other),
    resolutions: resolutions.map((item) => ({ ...item, payout: item.payout?.toFixed() ?? null })),
    states,
    trades: trades.map((item) => ({ ...item, price: item.price.toFixed(), quantity: item.quantity.toFixed() })),
  }
}

function quotesOf(columns: QuoteColumns): readonly object[] {
  return Array.from({ length: columns.length }, (_, row) => {
    const texts = Object.entries(quoteAt(columns, row)).map(([name, value]) => [
      name,
      Decimal.isDecimal(value) ? value.toFixed() : value,
    ])
    return { ...Object.fromEntries(texts), known_at: columns.known_at?.[row] ?? null }
  })
}
