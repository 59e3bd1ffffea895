import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { Constituent } from '../../pipelines/index/version.ts'
import { capWeights, sqrtVolume, type WeightInput } from '../../pipelines/index/weights.ts'
import { Decimal, ONE, parseDecimal, ZERO } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/** Returns the rating band of a market; null: it has no rating. */
export type BandOf = (market_id: string) => string | null

/** Multipliers of raw values by rating band; other bands are not eligible (methodology index-1 §8). */
const BAND_MULTIPLIERS: Readonly<Record<string, string>> = { MR1: '1', MR2: '0.9', MR3: '0.6' }

const VOLUME_DAYS = 30
/** Selection data end seven days before a version takes effect (methodology §8). */
const SELECTION_LEAD_DAYS = 7

/**
 * A version with the weights its rule gives: fixed ones as written, else raw values shaped by the written caps.
 * @param bands ratings under which the constituents were selected; null: they were not selected
 * @throws {ServiceError} INDEX_CAP_INFEASIBLE, INDEX_CAP_NO_CONVERGENCE; VALIDATION_DEFINITION_INVALID where a rule has no data
 */
export async function resolveWeights(
  defined: DefinedVersion,
  session: ReadSession,
  bands: BandOf | null = null,
): Promise<DefinedVersion> {
  if (defined.rating_multiplier && bands === null) throw unrated(defined)
  if (defined.weighting === 'fixed') return defined
  const { version, caps } = defined
  const raws = defined.weighting === 'equal' ? version.constituents.map(() => ONE) : await volumes(defined, session)
  const rated = defined.rating_multiplier ? raws.map((raw, i) => raw.times(multiplierOf(defined, i, bands!))) : raws
  const inputs = version.constituents.map((constituent, i) => weightInput(constituent, rated[i]!, caps.single))
  const weights = capWeights(inputs, { event: caps.event, venue: caps.venue })
  const constituents = version.constituents.map((constituent, i) => ({ ...constituent, target_weight: weights[i]! }))
  return { ...defined, version: { ...version, constituents } }
}

/** A constituent as the weighting sees it: its single cap is the tighter of its own and the version's. */
function weightInput(constituent: Constituent, raw: Decimal, single: Decimal | null): WeightInput {
  const own = constituent.legs[constituent.own]!
  const caps = [constituent.weight_cap, single].filter((cap) => cap !== null)
  const venues = new Set(constituent.legs.map((leg) => leg.venue_id))
  return {
    constituent_id: constituent.constituent_id,
    raw,
    cap: caps.length === 0 ? null : Decimal.min(...caps),
    group_event: constituent.group_event ?? own.event_id,
    group_venue: venues.size === 1 ? own.venue_id : null,
  }
}

/** sqrt of the median daily volume of the 30 days before the selection date, from public trades. */
async function volumes({ version }: DefinedVersion, session: ReadSession): Promise<Decimal[]> {
  const end =
    Math.floor((version.effective_from - SELECTION_LEAD_DAYS * MICROS_PER_DAY) / MICROS_PER_DAY) * MICROS_PER_DAY
  const market_ids = version.constituents.map((constituent) => constituent.legs[constituent.own]!.market_id)
  const rows = await session.query(readSql(import.meta.url, 'sql/daily_volumes.sql'), {
    market_ids,
    from: formatMicros(end - VOLUME_DAYS * MICROS_PER_DAY),
    to: formatMicros(end),
  })
  const raws = market_ids.map((market_id) => {
    const traded = rows.filter((row) => row.market_id === market_id).map((row) => parseDecimal(row.volume, 'volume'))
    const silent = Array.from({ length: VOLUME_DAYS - traded.length }, () => ZERO)
    return sqrtVolume([...traded, ...silent])
  })
  if (raws.every((raw) => raw.isZero())) throw untraded(version.version, end)
  return raws
}

function untraded(version: string, end: Micros): ServiceError {
  return new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `versions[${version}].weighting.rule is sqrt_volume but no constituent has a median daily volume above 0 in the ${VOLUME_DAYS} days before ${formatMicros(end)}; allowed: markets with public trades, or another rule`,
  )
}

function multiplierOf(defined: DefinedVersion, ordinal: number, bands: BandOf): Decimal {
  const { legs, own } = defined.version.constituents[ordinal]!
  const multiplier = BAND_MULTIPLIERS[bands(legs[own]!.market_id) ?? 'NR']
  if (multiplier === undefined) throw unrated(defined, ordinal)
  return parseDecimal(multiplier, 'multiplier')
}

/** A market without a rating is NR, and NR is not eligible (methodology §8). */
function unrated({ version }: DefinedVersion, ordinal = 0): ServiceError {
  const ids = version.constituents.map((constituent) => constituent.legs[constituent.own]!.market_id)
  return new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `versions[${version.version}].weighting.rating_multiplier is true but market ${ids[ordinal]} has no published rating of MR3 or better (NR is not eligible); allowed: false, or rated markets`,
  )
}
