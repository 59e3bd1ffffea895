import type { MarketRating } from '../../protocol/resources/market-rating.ts'
import type { SeverityAssessment } from '../../protocol/resources/severity.ts'

/** Labels of rating bands and severity levels. Bands rate markets, levels rate events; neither derives from the other. */

export const BAND_WORDS: Readonly<Record<MarketRating['band'], string>> = {
  MR1: 'strongest quality',
  MR2: 'strong, with limited weaknesses',
  MR3: 'usable, with material limitations',
  MR4: 'weak: elevated caution',
  MR5: 'unacceptable for normal index eligibility',
  NR: 'not rated: insufficient information',
}

export const LEVEL_WORDS: Readonly<Record<SeverityAssessment['level'], string>> = {
  'SEV-0': 'no verified material impact',
  'SEV-1': 'limited or localized',
  'SEV-2': 'material but contained',
  'SEV-3': 'severe: multi-system or regional',
  'SEV-4': 'extreme: national or cross-border',
  'SEV-5': 'catastrophic or systemic',
  UNKNOWN: 'unknown: evidence is insufficient or conflicting; not the same as SEV-0',
}

/** Short labels for tables. */
export const LEVEL_WORDS_SHORT = { ...LEVEL_WORDS, UNKNOWN: 'unknown; not SEV-0' }

/** "venue_operational_risk" as "venue operational risk". */
export function spoken(name: string): string {
  return name.replaceAll('_', ' ')
}
