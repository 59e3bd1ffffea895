import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { factRow } from '../eligibility/evaluate.ts'
import type { EligibilityPolicy } from '../eligibility/policy.ts'
import { recordHash } from '../governance/documents.ts'
import type { DefinedVersion } from '../index/definition.ts'
import { definitionText, type RatingsAtSelection } from '../index/version-record.ts'
import type { Ranked } from './select.ts'

/** A selected version as it is announced. */
export type ProForma = {
  readonly defined: DefinedVersion
  readonly policy: { readonly document: Pick<EligibilityPolicy, 'policy_id' | 'version'>; readonly record_hash: string }
  readonly selected_as_of: Micros
  readonly ranked: readonly Ranked[]
  readonly is_governed: boolean
  /** Version whose constituents are the incumbents; null: the first. */
  readonly base_version_id: string | null
}

/** Returns the row of an announced composition; its hash covers everything else in it. */
export function proFormaRecord(announced: ProForma) {
  const { version, file } = announced.defined
  const content = {
    pro_forma_id: proFormaId(version.index_id, version.effective_from),
    index_id: version.index_id,
    index_version_id: version.index_version_id,
    version: version.version,
    effective_from: formatMicros(version.effective_from),
    selected_as_of: formatMicros(announced.selected_as_of),
    is_governed: announced.is_governed,
    base_version_id: announced.base_version_id,
    methodology_id: version.methodology.methodology_id,
    methodology_version: version.methodology.version,
    policy_id: announced.policy.document.policy_id,
    policy_version: announced.policy.document.version,
    policy_hash: announced.policy.record_hash,
    definition: definitionText(file),
    constituents: constituentRows(announced),
    candidates: announced.ranked.map(candidateRow),
  }
  return { ...content, record_hash: recordHash(content) }
}

/** Returns the id of an announced composition: one an index and instant. */
function proFormaId(index_id: string, effective_from: Micros): string {
  return deriveId('pfm', index_id, formatMicros(effective_from))
}

/** Returns the ratings under which the constituents were selected. */
export function ratingsAtSelection(announced: Pick<ProForma, 'defined' | 'ranked'>): RatingsAtSelection {
  const of_market = new Map(announced.ranked.map((one) => [one.market_id, one.rating_id]))
  const { constituents } = announced.defined.version
  return new Map(
    constituents.map(({ constituent_id, legs, own }) => [constituent_id, of_market.get(legs[own]!.market_id) ?? null]),
  )
}

function constituentRows({ defined, ranked }: ProForma) {
  const of_market = new Map(ranked.map((one) => [one.market_id, one]))
  return defined.version.constituents.map(({ constituent_id, target_weight, legs, own }) => {
    const { market_id, outcome_id } = legs[own]!
    const one = of_market.get(market_id)!
    return {
      constituent_id,
      market_id,
      outcome_id,
      target_weight: formatDecimal(target_weight, SCALE.weight),
      rank: one.rank,
      ranking_value: one.ranking_value,
      rating_id: one.rating_id,
      is_incumbent: one.is_incumbent,
      reason_codes: one.reason_codes,
      facts: one.evaluation.facts.map(factRow),
    }
  })
}

/** Returns a candidate as published, without the facts. */
export function candidateRow(one: Ranked) {
  return {
    market_id: one.market_id,
    eligibility_status: one.evaluation.status,
    eligibility_reason_codes: one.evaluation.reason_codes,
    rank: one.rank,
    ranking_value: one.ranking_value,
    is_incumbent: one.is_incumbent,
    is_selected: one.is_selected,
    reason_codes: one.reason_codes,
  }
}
