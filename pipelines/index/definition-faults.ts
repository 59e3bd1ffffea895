import { isServiceError, type ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { decodeRebalance, decodeSelection } from '../selection/selection.ts'
import { decodeDefinition, decodeMethodology, describeIndex } from './definition.ts'
import { checkCaps } from './definition-caps.ts'
import { decodeConstituent } from './definition-constituent.ts'
import type { DefinitionFile, VersionFile } from './definition-schema.ts'
import { resolveParameters } from './parameters.ts'
import type { Methodology } from './version.ts'
import {
  checkConstituents,
  checkListed,
  decodeCaps,
  decodeFixing,
  decodeRoll,
  frequencyOf,
  ratio,
  refuseBoth,
} from './version-parts.ts'

/** Runs a check, keeps its fault, and returns its value; null: it failed. */
type Attempt = <T>(check: () => T) => T | null

/**
 * Returns every fault of a definition of the right form: its parts are decoded one by one, so that one fault hides no other. A part
 * that cannot be decided without a faulty one is left out.
 */
export function definitionFaults(file: DefinitionFile): readonly ServiceError[] {
  const found = new Map<string, ServiceError>()
  const attempt: Attempt = (check) => {
    try {
      return check()
    } catch (error) {
      if (!isServiceError(error)) throw error
      found.set(error.message, error)
      return null
    }
  }
  attempt(() => describeIndex(file))
  const methodology = attemptMethodology(file, attempt)
  for (const version of file.versions) attemptVersion(version, methodology, attempt)
  // Rules between versions, and between parameters, show only in the whole.
  if (found.size === 0) attempt(() => decodeDefinition(file))
  return [...found.values()]
}

/** Returns the methodology; of a faulty one that of the defaults, so that versions can be checked. */
function attemptMethodology({ methodology }: DefinitionFile, attempt: Attempt): Methodology {
  const written = Object.entries(methodology.parameters ?? {})
  const sound = written.filter(([name, value]) => attempt(() => resolveParameters({ [name]: value })) !== null)
  const parameters = Object.fromEntries(sound)
  return (
    attempt(() => decodeMethodology({ ...methodology, parameters })) ??
    decodeMethodology({ ...methodology, parameters: {} })
  )
}

function attemptVersion(file: VersionFile, methodology: Methodology, attempt: Attempt): void {
  const at = `versions[${file.version}]`
  attempt(() => refuseBoth(file))
  attempt(() => toMicros(file.effective_from, `${at}.effective_from`))
  const coverage = file.minimum_coverage_ratio
  if (coverage !== undefined) attempt(() => ratio(coverage, `${at}.minimum_coverage_ratio`))
  const frequency = attempt(() => frequencyOf(file, at))
  if (frequency !== null) attempt(() => decodeFixing(file, methodology, frequency, at))
  attemptConstituents(file, methodology, attempt)
  const { selection, rebalance } = file
  const decoded = selection === undefined ? null : attempt(() => decodeSelection(selection, `${at}.selection`))
  if (rebalance !== undefined && (selection === undefined || decoded !== null))
    attempt(() => decodeRebalance(rebalance, decoded, at))
}

function attemptConstituents(file: VersionFile, methodology: Methodology, attempt: Attempt): void {
  const at = `versions[${file.version}]`
  const weighting = file.weighting?.rule ?? 'fixed'
  attempt(() => checkListed(file, weighting, at))
  const caps = attempt(() => decodeCaps(file, methodology, at))
  const written = file.constituents ?? []
  const decoded = written.flatMap(
    (one, i) => attempt(() => decodeConstituent(one, `${at}.constituents[${i}]`, weighting)) ?? [],
  )
  if (decoded.length < written.length) return
  attempt(() => decodeRoll(file, methodology, decoded, at))
  if (file.constituents === undefined) return
  const agree = attempt(() => {
    checkConstituents(decoded, at, weighting)
    return true
  })
  if (agree && caps !== null && weighting === 'fixed') attempt(() => checkCaps(decoded, caps, at))
}
