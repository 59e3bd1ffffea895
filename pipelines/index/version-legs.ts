import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { singleCap } from './definition-caps.ts'
import { decodeConstituent } from './definition-constituent.ts'
import { share } from './definition-error.ts'
import type { ConstituentFile, VersionFile } from './definition-schema.ts'
import type { Leg } from './version.ts'

/** One market outcome that a constituent reads: its only one, a venue of its pool, an outcome of its set or a contract of its roll. */
type VersionLeg = Pick<Leg, 'venue_id' | 'source_series_id' | 'source_market_id' | 'market_id' | 'outcome_id'> & {
  /** Weight inside a log-odds pool; null for a constituent without a pool. */
  readonly pool_weight: string | null
}

/** Legs and cap of one constituent. */
export type ConstituentTerms = {
  readonly legs: readonly VersionLeg[]
  /** The lower of its own cap and the version's single cap; null: neither is defined. */
  readonly weight_cap: string | null
}

/** Returns the legs and caps of a version by constituent. @param definition  the stored definition of the version (JSON) */
export function versionTerms(definition: string): ReadonlyMap<string, ConstituentTerms> {
  const file = JSON.parse(definition) as VersionFile
  const constituents = file.constituents ?? []
  return new Map(constituents.map((constituent) => [constituent.constituent_id, termsOf(constituent, file)]))
}

function termsOf(file: ConstituentFile, version: VersionFile): ConstituentTerms {
  const decoded = decodeConstituent(file, file.constituent_id, version.weighting?.rule ?? 'fixed')
  const is_pool = decoded.normalization === 'logodds_pool'
  const legs = decoded.legs.map(
    ({ venue_id, source_series_id, source_market_id, market_id, outcome_id, pool_weight }) => ({
      venue_id,
      source_series_id,
      source_market_id,
      market_id,
      outcome_id,
      pool_weight: is_pool ? pool_weight.toFixed() : null,
    }),
  )
  const single = version.caps?.single === undefined ? null : share(version.caps.single, 'caps.single')
  const cap = singleCap(decoded, { single, event: null, venue: null })
  return { legs, weight_cap: cap === null ? null : formatDecimal(cap, SCALE.weight) }
}
