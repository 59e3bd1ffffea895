import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { AnswerApi } from '../http/public-api.ts'
import { createLevelVerifier, type LevelVerifier } from '../verify/verify-over-http.ts'
import { faultOf } from './answer-errors.ts'
import { judgeVersion, type StatedVersion } from './judge-version.ts'
import { type LevelsAsked, readLevels } from './read-levels.ts'
import type { ReplayedGovernance } from './replay-acts.ts'
import type { Findings } from './report.ts'

/** Levels recomputed at once. */
const AT_ONCE = 8

/** Use of a version: the number of its levels, and the publication of the first. */
type Use = { levels: number; first: Micros }

type LevelsContext = {
  readonly findings: Findings
  readonly onLevels: (count: number) => void
  /** Called with each level, as it is served. */
  readonly onLevel?: (level: IndexObservation) => void
}

/** Recomputes every level of an index. @returns the use of each version by its id */
export async function checkLevels(
  api: AnswerApi,
  asked: LevelsAsked,
  { findings, onLevels, onLevel }: LevelsContext,
): Promise<ReadonlyMap<string, Use>> {
  const verifier = createLevelVerifier(api)
  const uses = new Map<string, Use>()
  for await (const page of readLevels(api, asked, findings)) {
    for (const level of page) {
      noteUse(uses, level)
      onLevel?.(level)
      checkQuotes(level, findings)
    }
    verifier.add(page)
    for (let from = 0; from < page.length; from += AT_ONCE) {
      const some = page.slice(from, from + AT_ONCE)
      const faults = await Promise.all(some.map((level) => faultOfLevel(verifier, level, asked.index_id)))
      findings.count('levels', some.length)
      faults.forEach((fault, n) => {
        if (fault !== null) findings.fail('levels', some[n]!.observation_id, fault)
      })
      onLevels(some.length)
    }
  }
  return uses
}

/** Checks that a leg of the level names each quote that comes with it: nothing else says what such a quote is. */
function checkQuotes({ observation_id, inputs = [], quotes = [] }: IndexObservation, findings: Findings): void {
  const named = new Set(inputs.flatMap(({ legs }) => legs.flatMap(({ source_observation_ids: ids }) => ids)))
  const other = quotes.find((quote) => !named.has(quote.observation_id))
  if (other !== undefined)
    findings.fail('levels', observation_id, `no leg of it names the quote ${other.observation_id} that comes with it`)
}

/** Recomputes a level. @returns what is wrong with it, or with the answers that it is recomputed from; null: nothing */
async function faultOfLevel(
  verifier: LevelVerifier,
  level: IndexObservation,
  index_id: string,
): Promise<string | null> {
  try {
    const mismatch = await verifier.verify(level, index_id)
    return mismatch === null ? null : `${mismatch.step} is ${mismatch.expected}; recomputed: ${mismatch.actual}`
  } catch (error) {
    return `it cannot be recomputed: ${faultOf(error)}`
  }
}

function noteUse(uses: Map<string, Use>, { index_version_id, published_at }: IndexObservation): void {
  const at = toMicros(published_at)
  const use = uses.get(index_version_id)
  uses.set(index_version_id, { levels: (use?.levels ?? 0) + 1, first: Math.min(at, use?.first ?? at) })
}

/**
 * Checks that each version was approved and announced before its first level.
 * @returns names of the versions that one person applied
 */
export function checkApprovals(
  versions: readonly StatedVersion[],
  uses: ReadonlyMap<string, Use>,
  governance: ReplayedGovernance,
  findings: Findings,
): readonly string[] {
  const ungoverned: string[] = []
  for (const version of versions) {
    const { levels = 0, first = null } = uses.get(version.index_version_id) ?? {}
    const verdict = judgeVersion(version, governance, first)
    const name = `${version.index_id}@${version.version}`
    const subject = `${name}, ${levels} levels${first === null ? '' : ` from ${formatMicros(first)}`}`
    if (verdict.kind === 'ungoverned') ungoverned.push(name)
    if (verdict.kind === 'unknown') findings.skip('approved', 'the service does not say who decided a version')
    if (verdict.kind === 'governed') {
      findings.count('approved', levels)
      findings.count('announced', levels)
    }
    if (verdict.approved !== null) findings.fail('approved', subject, verdict.approved)
    if (verdict.announced !== null) findings.fail('announced', subject, verdict.announced)
  }
  for (const index_version_id of uses.keys()) {
    if (versions.some((version) => version.index_version_id === index_version_id)) continue
    findings.fail('approved', index_version_id, 'levels are published under it, and no such version is')
  }
  return ungoverned
}
