import type { RatingComponent } from '../../vocabulary/rating.ts'
import { figuresOf } from '../evidence/check-evidence.ts'
import type { EvidenceItem } from '../evidence/evidence-item.ts'
import {
  dataQuality,
  liquidity,
  manipulationResistance,
  resolutionClarity,
  sourceReliability,
  venueOperationalRisk,
} from './components.ts'
import type { ComponentScores } from './rate.ts'

const FORMULAS: Readonly<Record<RatingComponent, (figures: never) => string>> = {
  resolution_clarity: resolutionClarity,
  source_reliability: sourceReliability,
  liquidity,
  manipulation_resistance: manipulationResistance,
  data_quality: dataQuality,
  venue_operational_risk: venueOperationalRisk,
}

/** Recomputes the components from the figures in a program rating's evidence alone. */
export function componentsAgain(evidence: readonly EvidenceItem[]): ComponentScores {
  const entries = Object.entries(FORMULAS).map(([component, formula]) => {
    const figures = figuresOf<never>(evidence, component)
    return [component, figures === null ? null : formula(figures)] as const
  })
  return Object.fromEntries(entries) as ComponentScores
}
