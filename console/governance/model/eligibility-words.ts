import type { EligibilityPolicy, MarketEligibility } from '../../../protocol/resources/eligibility.ts'
import type { QualityState } from '../../../vocabulary/index-level.ts'
import { showDuration } from '../../data/instant-text.ts'
import { spoken } from './words.ts'

type Rule = EligibilityPolicy['rules'][number]
type Fact = MarketEligibility['facts'][number]

/** Looks of a decision, with its meaning. */
export const VERDICT_LOOKS: Readonly<
  Record<MarketEligibility['status'], readonly [look: QualityState, meaning: string]>
> = {
  eligible: ['valid', 'Every rule of the policy holds'],
  ineligible: ['suspended', 'A rule of the policy does not hold'],
  unknown: ['indicative', 'A fact that a rule needs is missing, or nothing was evaluated'],
}

/** Returns a rule as a sentence: "at least 0.9, at most 7 d old". */
export function ruleText({ at_least, at_most, one_of, age_max }: Rule): string {
  const parts = [
    at_least === null ? [] : [`at least ${boundText(at_least)}`],
    at_most === null ? [] : [`at most ${boundText(at_most)}`],
    one_of === null ? [] : [`one of ${one_of.join(', ')}`],
    age_max === null ? [] : [`at most ${showDuration(age_max)} old`],
  ].flat()
  return parts.length === 0 ? 'known' : parts.join(', ')
}

/** Returns a reason code with its plain words: "RATING_BAND_BELOW: rating band below". */
export function reasonText(code: string): string {
  return `${code}: ${spoken(code.toLowerCase())}`
}

const HOUR_MS = 3_600_000n

/** Returns the value of a fact; times to a resolution are milliseconds, shown in whole days or hours. */
export function factText({ fact, value }: Pick<Fact, 'fact' | 'value'>): string | null {
  if (value === null || fact !== 'time_to_resolution' || !/^-?\d+$/.test(value)) return value
  const hours = BigInt(value) / HOUR_MS
  return hours >= 48n ? `${hours / 24n} d` : `${hours} h`
}

function boundText(text: string): string {
  return text.startsWith('P') ? showDuration(text) : text
}
