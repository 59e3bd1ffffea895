import { Decimal, type DecimalString } from '../../primitives/decimal.ts'
import { SEVERITY_COMPONENTS } from '../../vocabulary/severity.ts'
import type { AssessedComponent, AssessedComponents } from './assess.ts'
import type { ComponentEvidence } from './hazard-evidence.ts'

/**
 * Combines the evidence of each component into one value: the best tier decides the center, the greater of equal ones; A, B and
 * C set the range (C widens it), and unverified evidence counts only when there is nothing else.
 */
export function combineEvidence(evidence: readonly ComponentEvidence[]): AssessedComponents {
  const entries = SEVERITY_COMPONENTS.map((name) => {
    const of_component = evidence.filter(({ component }) => component === name)
    return [name, of_component.length === 0 ? null : combined(of_component)] as const
  })
  return Object.fromEntries(entries) as AssessedComponents
}

function combined(evidence: readonly ComponentEvidence[]): AssessedComponent {
  const best = evidence.map(({ tier }) => tier).sort()[0]!
  const deciding = evidence.filter(({ tier }) => tier === best)
  const ranging = best === 'D' ? evidence : evidence.filter(({ tier }) => tier !== 'D')
  return {
    value: extreme(
      deciding.map(({ value }) => value),
      'greatest',
    ),
    low: extreme(
      ranging.map(({ low }) => low),
      'least',
    ),
    high: extreme(
      ranging.map(({ high }) => high),
      'greatest',
    ),
    verified: false,
  }
}

function extreme(texts: readonly DecimalString[], which: 'least' | 'greatest'): DecimalString {
  const sorted = texts.toSorted((a, b) => new Decimal(a).cmp(b))
  return which === 'least' ? sorted[0]! : sorted.at(-1)!
}
