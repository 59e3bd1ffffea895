import { isAdmitted, type LegData, quoteAt } from '../../pipelines/index/admission.ts'
import { fixingOf, fixingRecords, graceOf, legsOf } from '../../pipelines/index/admit.ts'
import type { VerificationRecords } from '../../pipelines/index/verify.ts'
import type { IndexSpec, IndexVersion, Leg } from '../../pipelines/index/version.ts'
import type { Quote, Resolution } from '../../pipelines/market/quote.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { loadLegData } from './load-leg-data.ts'
import { loadLinks } from './load-published.ts'

/** Records for one observation, as known when it was published. `rows` are all published observations of the index. */
export type RecordsFor = (version: IndexVersion, row: Row, rows: readonly Row[]) => VerificationRecords

/** Loads the public records behind an index: quotes and resolutions by id, link factors, market states, published levels. */
export async function loadVerificationRecords(session: ReadSession, spec: IndexSpec): Promise<RecordsFor> {
  const legs = legsOf(spec)
  const data = await loadLegData(session, legs, { trades: true, known_at_tick: true })
  const links = await loadLinks(session, spec.index_id)
  const quotes = quotesOfLegs(legs, data)
  const resolutions = resolutionsByEvidence(legs, data)
  const by_outcome = new Map<string, Leg>(legs.map((leg) => [leg.outcome_id, leg]))
  const levels = new Map<readonly Row[], ReadonlyMap<Micros, readonly Row[]>>()
  return (version, row, rows) => {
    const known: Known = { at: toMicros(row.published_at), grace: graceOf(row.revision as number, version) }
    return {
      link_factor: links.get(version.index_version_id) ?? null,
      versionAt: (cutoff) => versionAt(spec, cutoff, version),
      quote: (id, leg) =>
        ifKnown(quotes.get(quoteKey(leg.outcome_id, leg.origin_rule === 'M6', id))?.() ?? null, known.at),
      resolution: (outcome_id, id) => ifKnown(resolutions.get(`${outcome_id} ${id}`) ?? null, known.at),
      fixing: (leg) =>
        fixingAt(data.get(by_outcome.get(leg.outcome_id)!.key)!, version, toMicros(leg.mark_cutoff_at), known),
      expectedResolution: (leg, tick) => expectedResolution(data.get(leg.key)!, tick, known),
      levelAt: (tick) => levelAt(indexed(levels, rows).get(tick) ?? [], known.at),
    }
  }
}

/** Publication instant of an observation, and the grace of its tick for late records. */
type Known = { readonly at: Micros; readonly grace: Micros }

function versionAt(spec: IndexSpec, cutoff: Micros, fallback: IndexVersion): IndexVersion {
  return spec.versions.findLast((version) => version.effective_from <= cutoff) ?? fallback
}

type KnownRecord = Quote & { readonly known_at: Micros }

function ifKnown<T extends Quote | Resolution>(
  record: (T & { readonly known_at?: Micros | undefined }) | null,
  known_at: Micros,
): T | null {
  return record === null || (record.known_at ?? record.received_at) > known_at ? null : record
}

/** One record pays every outcome of its market, so the outcome is part of the key. */
function resolutionsByEvidence(
  legs: readonly Leg[],
  data: ReadonlyMap<string, LegData>,
): ReadonlyMap<string, Resolution> {
  const entries = legs.flatMap((leg) =>
    data.get(leg.key)!.resolutions.map((item) => [`${leg.outcome_id} ${item.evidence_id}`, item] as const),
  )
  return new Map(entries)
}

function quoteKey(outcome_id: string, is_other: boolean, record_id: string): string {
  return `${outcome_id} ${is_other} ${record_id}`
}

/** Quotes of each leg and of its complement by record id, decoded when asked for. */
function quotesOfLegs(
  legs: readonly Leg[],
  data: ReadonlyMap<string, LegData>,
): ReadonlyMap<string, () => KnownRecord> {
  const quotes = new Map<string, () => KnownRecord>()
  for (const { key, outcome_id } of legs) {
    const leg = data.get(key)!
    for (const columns of [leg.quotes, leg.other]) {
      for (let row = 0; columns !== null && row < columns.length; row++) {
        quotes.set(quoteKey(outcome_id, columns === leg.other, columns.recordId(row)), () => ({
          ...quoteAt(columns, row),
          known_at: (columns.known_at ?? columns.received_at)[row]!,
        }))
      }
    }
  }
  return quotes
}

function fixingAt(data: LegData, { fixing, methodology }: IndexVersion, cutoff: Micros, { at, grace }: Known) {
  return fixing === null ? null : fixingOf(fixingRecords(data, at), fixing, cutoff, grace, methodology.parameters)
}

function expectedResolution(data: LegData, tick: Micros, { at, grace }: Known): Micros | null {
  const admitted = data.states.filter(
    (state) => isAdmitted(state, tick, grace) && (state.known_at ?? state.received_at) <= at,
  )
  return admitted.at(-1)?.expected_resolution_at ?? null
}

function indexed(
  cache: Map<readonly Row[], ReadonlyMap<Micros, readonly Row[]>>,
  rows: readonly Row[],
): ReadonlyMap<Micros, readonly Row[]> {
  const known = cache.get(rows)
  if (known !== undefined) return known
  const map = new Map<Micros, Row[]>()
  for (const row of rows) {
    const tick = toMicros(row.tick_at)
    map.set(tick, [...(map.get(tick) ?? []), row])
  }
  cache.set(rows, map)
  return map
}

/** The level published for a tick, as known at an instant. */
function levelAt(chain: readonly Row[], known_at: Micros): string | null {
  const known = chain.filter((row) => toMicros(row.published_at) <= known_at)
  const head = known.sort((a, b) => (a.revision as number) - (b.revision as number)).at(-1)
  return typeof head?.level === 'string' ? head.level : null
}
