import { isServiceError, type ServiceError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { decodeRebalance, decodeSelection } from '../selection/selection.ts'
import { decodeDefinition, decodeMethodology, describeIndex } from './definition.ts'
import { checkCaps } from './definition-caps.ts'
import { constituentChecks, decodeConstituent, targetWeight } from './definition-constituent.ts'
import type { ConstituentFile, DefinitionFile, VersionFile } from './definition-schema.ts'
import { resolveParameters } from './parameters.ts'
import type { Constituent, IndexVersion, Methodology, WeightingRule } from './version.ts'
import { versionFaults, versionPaths } from './version-order.ts'
import {
  checkListed,
  checkSum,
  decodeCaps,
  decodeFixing,
  decodeRoll,
  frequencyOf,
  idFaults,
  ratio,
  refuseBoth,
} from './version-parts.ts'

/** Runs a check, keeps its fault, and returns its value; null: it failed. */
type Attempt = <T>(check: () => T) => T | null

/** Known part of a version of a faulty definition: the constituents that could be decoded, and where each is written. */
export type DraftVersion = {
  /** Path of the version in the file, for messages. */
  readonly at: string
  readonly file: VersionFile
  readonly version: Pick<IndexVersion, 'version' | 'constituents'>
  /** Path of each decoded constituent. */
  readonly places: readonly string[]
}

/** Every fault of a definition, and what could be decoded in spite of them. */
type DefinitionFaults = { readonly faults: readonly ServiceError[]; readonly versions: readonly DraftVersion[] }

/**
 * Returns every fault of a definition of the right form: its parts are decoded one by one, so that one fault hides no other. A part
 * that cannot be decided without a faulty one is left out.
 */
export function definitionFaults(file: DefinitionFile): DefinitionFaults {
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
  const paths = versionPaths(file.versions)
  const versions = file.versions.map((version, i) => attemptVersion(version, paths[i]!, methodology, attempt))
  for (const fault of orderFaults(file, paths)) found.set(fault.message, fault)
  // Rules between parameters show only in the whole.
  if (found.size === 0) attempt(() => decodeDefinition(file))
  return { faults: [...found.values()], versions }
}

/** Returns the faults between versions; an instant that cannot be read has a fault of its own. */
function orderFaults({ index, versions }: DefinitionFile, paths: readonly string[]): readonly ServiceError[] {
  const ordered = versions.map(({ version, effective_from }, i) => ({
    ...{ at: paths[i]!, name: version, written: effective_from },
    effective_from: microsOrNull(effective_from),
  }))
  return versionFaults(ordered, microsOrNull(index.base_date))
}

function microsOrNull(instant: string): Micros | null {
  try {
    return toMicros(instant)
  } catch {
    return null
  }
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

function attemptVersion(file: VersionFile, at: string, methodology: Methodology, attempt: Attempt): DraftVersion {
  attempt(() => refuseBoth(file, at))
  attempt(() => toMicros(file.effective_from, `${at}.effective_from`))
  const coverage = file.minimum_coverage_ratio
  if (coverage !== undefined) attempt(() => ratio(coverage, `${at}.minimum_coverage_ratio`))
  const frequency = attempt(() => frequencyOf(file, at))
  if (frequency !== null) attempt(() => decodeFixing(file, methodology, frequency, at))
  const decoded = attemptConstituents(file, at, methodology, attempt)
  attemptSelection(file, at, attempt)
  return {
    ...{ at, file },
    version: { version: file.version, constituents: decoded.map(({ constituent }) => constituent) },
    places: decoded.map(({ place }) => place),
  }
}

function attemptSelection({ selection, rebalance }: VersionFile, at: string, attempt: Attempt): void {
  const decoded = selection === undefined ? null : attempt(() => decodeSelection(selection, `${at}.selection`))
  if (rebalance !== undefined && (selection === undefined || decoded !== null))
    attempt(() => decodeRebalance(rebalance, decoded, at))
}

type Placed = { readonly constituent: Constituent; readonly place: string }

function attemptConstituents(
  file: VersionFile,
  at: string,
  methodology: Methodology,
  attempt: Attempt,
): readonly Placed[] {
  const weighting = file.weighting?.rule ?? 'fixed'
  attempt(() => checkListed(file, weighting, at))
  const caps = attempt(() => decodeCaps(file, methodology, at))
  const written = file.constituents ?? []
  const placed = written.flatMap((one, i) => attemptConstituent(one, `${at}.constituents[${i}]`, weighting, attempt))
  const doubled = idFaults(written, at)
  for (const fault of doubled) attempt(() => raise(fault))
  const is_whole = attemptSum(file, at, attempt)
  if (placed.length < written.length) return placed
  const decoded = placed.map(({ constituent }) => constituent)
  attempt(() => decodeRoll(file, methodology, decoded, at))
  if (is_whole && doubled.length === 0 && caps !== null) attempt(() => checkCaps(decoded, caps, at))
  return placed
}

function attemptConstituent(
  file: ConstituentFile,
  place: string,
  weighting: WeightingRule,
  attempt: Attempt,
): readonly Placed[] {
  for (const check of constituentChecks(file, place, weighting)) attempt(check)
  const constituent = attempt(() => decodeConstituent(file, place, weighting))
  return constituent === null ? [] : [{ constituent, place }]
}

/** Checks the sum of fixed weights, also of constituents with other faults; returns whether it is 1. */
function attemptSum({ constituents, weighting }: VersionFile, at: string, attempt: Attempt): boolean {
  if (constituents === undefined || (weighting?.rule ?? 'fixed') !== 'fixed') return false
  const weights = constituents.flatMap(
    (one, i) => attempt(() => targetWeight(one, `${at}.constituents[${i}]`, 'fixed')) ?? [],
  )
  if (weights.length < constituents.length) return false
  const sound = attempt(() => {
    checkSum(weights, at)
    return true
  })
  return sound ?? false
}

function raise(fault: ServiceError): never {
  throw fault
}
