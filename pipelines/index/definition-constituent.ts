import { type Decimal, ONE, parseDecimal, ZERO } from '../../primitives/decimal.ts'
import { type ConstituentId, type OutcomeId, parseId } from '../../primitives/ids.ts'
import { toMicros } from '../../primitives/instants.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { eventIdOf, marketIdOf, outcomeIdOf } from '../revisions/identity.ts'
import { invalid, share } from './definition-error.ts'
import type { ConstituentFile, LegFile } from './definition-schema.ts'
import type { Constituent, Leg, Normalization, WeightingRule } from './version.ts'

/** Decodes one constituent; its normalization decides which legs it reads. */
export function decodeConstituent(file: ConstituentFile, at: string, weighting: WeightingRule): Constituent {
  const normalization: Normalization = file.normalization ?? 'probability_0_1'
  const target_weight = targetWeight(file, at, weighting)
  return {
    constituent_id: file.constituent_id as ConstituentId,
    normalization,
    ...legsOf(file, normalization, at),
    target_weight,
    weight_cap: weightCap(file, at),
    group_event: file.group_event ?? null,
  }
}

/** Checks the parts of a constituent one by one; each check throws the fault of its part. */
export function constituentChecks(
  file: ConstituentFile,
  at: string,
  weighting: WeightingRule,
): readonly (() => unknown)[] {
  const { legs = [], outcomes = [] } = file
  return [
    () => targetWeight(file, at, weighting),
    () => weightCap(file, at),
    ...legs.map((leg, i) => () => decodeLeg(leg, `${at}.legs[${i}]`)),
    ...outcomes.map((one, i) => () => (typeof one === 'string' ? null : decodeLeg(one, `${at}.outcomes[${i}]`))),
    () => legsOf(file, file.normalization ?? 'probability_0_1', at),
  ]
}

/** Decodes the weight of a constituent; one whose weight a rule makes has zero. */
export function targetWeight(file: ConstituentFile, at: string, weighting: WeightingRule): Decimal {
  if (weighting === 'fixed' && file.target_weight === undefined)
    throw invalid(`${at}.target_weight`, undefined, 'a decimal string, because the weights are fixed')
  if (weighting !== 'fixed' && file.target_weight !== undefined)
    throw invalid(
      `${at}.target_weight`,
      file.target_weight,
      `no target_weight, because the weighting rule is ${weighting}`,
    )
  return file.target_weight === undefined ? ZERO : share(file.target_weight, `${at}.target_weight`)
}

function weightCap({ weight_cap }: ConstituentFile, at: string): Decimal | null {
  return weight_cap === undefined ? null : share(weight_cap, `${at}.weight_cap`)
}

function legsOf(
  file: ConstituentFile,
  normalization: Normalization,
  at: string,
): { legs: readonly Leg[]; own: number } {
  if (normalization === 'logodds_pool' || normalization === 'constant_maturity') {
    if (file.legs === undefined)
      throw invalid(`${at}.legs`, undefined, `at least two legs, because normalization is ${normalization}`)
    if (file.venue_id !== undefined || file.source_market_id !== undefined || file.outcomes !== undefined)
      throw invalid(at, Object.keys(file), 'legs alone, without venue_id, source_market_id and outcomes')
    return {
      legs: unique(
        file.legs.map((leg, i) => decodeLeg(leg, `${at}.legs[${i}]`)),
        at,
      ),
      own: 0,
    }
  }
  if (file.legs !== undefined)
    throw invalid(`${at}.legs`, file.legs.length, 'legs only with normalization logodds_pool or constant_maturity')
  const own = decodeLeg(ownLeg(file, at), at)
  if (normalization !== 'multi_outcome_sum_to_one') {
    if (file.outcomes !== undefined)
      throw invalid(`${at}.outcomes`, file.outcomes.length, 'outcomes only with normalization multi_outcome_sum_to_one')
    return { legs: [own], own: 0 }
  }
  return outcomeLegs(file, own, at)
}

/** Returns all outcomes of the set: labels of the constituent's own market, or separate legs. */
function outcomeLegs(file: ConstituentFile, own: Leg, at: string): { legs: readonly Leg[]; own: number } {
  if (file.outcomes === undefined)
    throw invalid(
      `${at}.outcomes`,
      undefined,
      'all outcomes of the set, because normalization is multi_outcome_sum_to_one',
    )
  const legs = unique(
    file.outcomes.map((item, i) =>
      decodeLeg(typeof item === 'string' ? { ...ownLeg(file, at), outcome: item } : item, `${at}.outcomes[${i}]`),
    ),
    at,
  )
  const index = legs.findIndex((leg) => leg.key === own.key)
  if (index < 0) throw invalid(`${at}.outcomes`, own.outcome, "a list that contains the constituent's own outcome")
  return { legs, own: index }
}

function ownLeg(file: ConstituentFile, at: string): LegFile {
  if (file.venue_id === undefined) throw invalid(`${at}.venue_id`, undefined, 'the venue of the market')
  if (file.source_market_id === undefined)
    throw invalid(`${at}.source_market_id`, undefined, "the venue's id of the market")
  return { ...file, venue_id: file.venue_id, source_market_id: file.source_market_id }
}

function decodeLeg(file: LegFile, at: string): Leg {
  const outcome = file.outcome ?? 'YES'
  const source_series_id = file.source_series_id ?? null
  if (file.venue_id === OWN_VENUE) checkOwnIds(file, at)
  const market_id = marketIdOf(file.venue_id, file.source_market_id)
  const pool_weight = file.pool_weight === undefined ? ONE : parseDecimal(file.pool_weight, `${at}.pool_weight`)
  if (pool_weight.lte(0)) throw invalid(`${at}.pool_weight`, file.pool_weight, 'a decimal string above 0')
  return {
    key: legKey(file.venue_id, source_series_id, file.source_market_id, outcome),
    venue_id: file.venue_id,
    source_series_id,
    source_market_id: file.source_market_id,
    outcome,
    market_id,
    outcome_id: file.venue_id === OWN_VENUE ? (outcome as OutcomeId) : outcomeIdOf(market_id, outcome),
    event_id: eventIdOf(file.venue_id, file.source_market_id),
    pool_weight,
    expected_resolution_at:
      file.expected_resolution_at === undefined
        ? null
        : toMicros(file.expected_resolution_at, `${at}.expected_resolution_at`),
  }
}

/** Checks ids of our own exchange, which are written unchanged. */
function checkOwnIds({ source_market_id, outcome }: LegFile, at: string): void {
  parseId('mkt', source_market_id, `${at}.source_market_id`)
  parseId('out', outcome, `${at}.outcome`)
}

/** Returns the key of a leg, the same for one source in every version and constituent. */
function legKey(venue_id: string, source_series_id: string | null, source_market_id: string, outcome: string): string {
  return [venue_id, source_series_id ?? '', source_market_id, outcome].join('\u001f')
}

function unique(legs: readonly Leg[], at: string): readonly Leg[] {
  if (new Set(legs.map((leg) => leg.key)).size !== legs.length)
    throw invalid(
      `${at} legs`,
      legs.map((leg) => leg.source_market_id),
      'each leg once',
    )
  return legs
}
