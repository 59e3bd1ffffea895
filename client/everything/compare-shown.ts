import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { EverythingCheck, Findings } from './report.ts'

export type Facts = Readonly<Record<string, unknown>>

/** Facts that a record is compared with, and the place that they follow from. */
export type Wanted = { readonly facts: Facts; readonly source: string }

/** Longest value that a finding repeats. */
const VALUE_MAX = 200

/**
 * Compares every field of a record as it is shown with what it has to be. A field that this release does not know is noted: a newer
 * service may show more, and nobody is to believe that it was checked.
 */
export function compareShown(
  { check, subject }: { readonly check: EverythingCheck; readonly subject: string },
  shown: Facts,
  { facts, source }: Wanted,
  findings: Findings,
): void {
  const text = (value: unknown) => canonicalJson(value ?? null)
  const field = Object.keys(facts).find((name) => text(shown[name]) !== text(facts[name]))
  if (field !== undefined) {
    const [seen, follows] = [shown[field], facts[field]].map((value) => text(value).slice(0, VALUE_MAX))
    findings.fail(check, subject, `${field} is ${seen}; ${follows} follows from ${source}`)
  }
  const unknown = Object.keys(shown).filter((name) => !(name in facts))
  if (unknown.length > 0) findings.skip(check, `not known to this release, so not checked: ${unknown.join(', ')}`)
}
