import {
  classOfTicks,
  differsInRules,
  type TickPair,
  type VersionClass,
} from '../../pipelines/governance/change-class.ts'
import type { Change } from '../../pipelines/governance/proposal.ts'
import { versionOfContent } from '../../pipelines/governance/version-content.ts'
import type { IndexSpec, IndexVersion } from '../../pipelines/index/version.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { MICROS_PER_DAY, type Micros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { loadIndex, type PublishedIndex } from '../index/load-index.ts'
import { loadLinks } from '../index/load-published.ts'
import { openTarget } from '../replay/replay-index.ts'
import { REPLAY_TABLES, type ResolvedTarget } from '../replay/replay-target.ts'

/** Length of the look-back window. */
const LOOK_BACK: Micros = 30 * MICROS_PER_DAY

/** Class of a version, computed, and the window that was replayed. */
export type ComputedClass = VersionClass & { readonly from: Micros; readonly to: Micros }

/**
 * Returns the class of a proposed version: the version in force and the proposed one are replayed side by side over the look-back
 * window, as if the proposed one had begun with it, and their rules are compared.
 * @param as_of knowledge, and end of the window; null: now
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_DEFINITION_INVALID, as replayIndex
 */
export async function classOfChange(
  warehouse: Warehouse,
  content: Change['content'],
  as_of: Micros | null,
): Promise<ComputedClass> {
  const { defined } = versionOfContent(content)
  const session = await openReadSession(warehouse, { as_of, tables: REPLAY_TABLES })
  try {
    const published = await loadIndex(session, String(content.index_id))
    const to = session.as_of
    const before = specAt(published.spec, to)
    const in_force = before.versions.at(-1)
    if (in_force === undefined) return { ...NOT_COMPARABLE, from: to, to }
    const from = Math.max(in_force.effective_from, to - LOOK_BACK)
    const links = await loadLinks(session, published.spec.index_id)
    const target = (spec: IndexSpec): ResolvedTarget => ({
      name: content.index_id as string,
      index: published.index,
      spec,
      published_links: links,
    })
    const after = specAfter(before, { ...defined.version, effective_from: from })
    const pairs = await tickPairs(session, target(before), target(after), { from, to })
    if (pairs === null) return { ...NOT_COMPARABLE, from, to }
    const { restate } = in_force.methodology.parameters
    return { ...classOfTicks(pairs, differsInRules(in_force, defined.version), restate.bp), from, to }
  } finally {
    await session.close()
  }
}

/** Class of a version without ticks to compare: none was in force, or one of the two cannot be linked in the window. */
const NOT_COMPARABLE = { change_class: 'material', ticks: 0, differing: 0, basis_points_max: null } as const

/** Returns the versions in force until an instant. */
function specAt(spec: PublishedIndex['spec'], at: Micros): IndexSpec {
  const versions = spec.versions.filter(({ effective_from }) => effective_from <= at)
  return { ...spec, versions: versions.map((one, i) => ({ ...one, effective_to: startOfNext(versions, i) })) }
}

/** Returns the same index as if a version had followed at its start; versions that began later never did. */
function specAfter(spec: IndexSpec, next: IndexVersion): IndexSpec {
  const versions = [...spec.versions.filter(({ effective_from }) => effective_from < next.effective_from), next]
  return { ...spec, versions: versions.map((one, i) => ({ ...one, effective_to: startOfNext(versions, i) })) }
}

function startOfNext(versions: readonly IndexVersion[], i: number): Micros | null {
  return versions[i + 1]?.effective_from ?? null
}

/** Returns the ticks of both sides; null: a series cannot be computed. */
async function tickPairs(
  session: ReadSession,
  before: ResolvedTarget,
  after: ResolvedTarget,
  range: { readonly from: Micros; readonly to: Micros },
): Promise<readonly TickPair[] | null> {
  try {
    const [left, right] = [await ticksOf(session, before, range), await ticksOf(session, after, range)]
    const instants = new Set([...left.keys(), ...right.keys()])
    return [...instants].map((at) => ({ before: left.get(at), after: right.get(at) }))
  } catch (error) {
    if (isServiceError(error) && /^INDEX_(LINK|GEARING)_/.test(error.code)) return null
    throw error
  }
}

type Ticks = ReadonlyMap<Micros, NonNullable<TickPair['before']>>

async function ticksOf(
  session: ReadSession,
  target: ResolvedTarget,
  { from, to }: { readonly from: Micros; readonly to: Micros },
): Promise<Ticks> {
  const series = await openTarget(target, session, to)
  const ticks = new Map<Micros, NonNullable<TickPair['before']>>()
  for (const { result } of series.exact())
    if (result.tick_at >= from) ticks.set(result.tick_at, { level: result.level, quality_state: result.quality_state })
  return ticks
}
