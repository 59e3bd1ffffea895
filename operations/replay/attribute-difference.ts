import { type ChangeAlone, changesAlone, pairVersions } from '../../pipelines/governance/impact/changes-alone.ts'
import { columnsIn } from '../../pipelines/governance/impact/level-columns.ts'
import { legsOf } from '../../pipelines/index/admit.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { replaysBy } from '../governance/impact/replay-columns.ts'
import { loadLegData } from '../index/load-leg-data.ts'
import { countingOfTarget } from './replay-index.ts'
import type { ResolvedTarget } from './replay-target.ts'

type Compared = {
  readonly left: ResolvedTarget
  readonly right: ResolvedTarget
  readonly range: { readonly from: Micros; readonly to: Micros }
  readonly signal?: AbortSignal | undefined
}

/**
 * Replays the left side with each change of the right side alone, over the same records, as the impact of a version does.
 * @returns null: a version of one side begins where one of the other continues
 */
export async function attributeDifference(
  session: ReadSession,
  { left, right, range, signal }: Compared,
): Promise<readonly ChangeAlone[] | null> {
  const [before, after] = [versionsUntil(left.spec, range.to), versionsUntil(right.spec, range.to)]
  const pairs = pairVersions(before, after)
  if (pairs === null) return null
  const both = { ...before, versions: [...before.versions, ...after.versions] }
  const trades = both.versions.some(({ fixing }) => fixing !== null)
  const data = await loadLegData(session, legsOf(both), {
    trades,
    known_at_tick: await countingOfTarget(left, session),
  })
  // A link after the first change is computed again, as on the right side.
  const changed = pairs.find((pair) => pair.before.index_version_id !== pair.after.index_version_id)
  const from = right.published_links === undefined ? 0 : (changed?.after.effective_from ?? range.to)
  const kept = new Set<string>(
    before.versions.filter(({ effective_from }) => effective_from < from).map((version) => version.index_version_id),
  )
  const links = [...(left.published_links ?? [])]
  const options = { data, signal }
  const { replay } = replaysBy('exact', { ...options, published_links: new Map(links) })
  const changing = replaysBy('exact', { ...options, published_links: new Map(links.filter(([id]) => kept.has(id))) })
  const to = Math.min(range.to, session.as_of + 1)
  return changesAlone(before, pairs, {
    levels: columnsIn(replay(before, to), range),
    changed_levels: null,
    levelsOf: (spec) => columnsIn(changing.replay(spec, to), range),
  })
}

/** Returns a definition without the versions that begin at an instant or later. */
function versionsUntil(spec: IndexSpec, to: Micros): IndexSpec {
  return { ...spec, versions: spec.versions.filter(({ effective_from }) => effective_from < to) }
}
