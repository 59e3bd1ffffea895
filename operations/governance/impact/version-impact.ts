import { calculateImpact } from '../../../pipelines/governance/impact/calculate-impact.ts'
import { replaySides } from '../../../pipelines/governance/impact/compare-versions.ts'
import { type ImpactDocument, VERSION_IMPACT_ENGINE } from '../../../pipelines/governance/impact/impact-document.ts'
import { ruledBy, warmUp } from '../../../pipelines/governance/impact/side-specs.ts'
import { legsOf } from '../../../pipelines/index/admit.ts'
import type { InspectedDefinition } from '../../../pipelines/index/parse-definition.ts'
import type { IndexSpec } from '../../../pipelines/index/version.ts'
import { formatMicros } from '../../../primitives/instants.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import { soundDefinition } from '../../index/check-new-versions.ts'
import { countingOf } from '../../index/counting.ts'
import { loadLegData } from '../../index/load-leg-data.ts'
import { loadLinks } from '../../index/load-published.ts'
import { REPLAY_TABLES } from '../../replay/replay-target.ts'
import { manipulationCosts } from './costs-of-ticks.ts'
import { type ImpactChange, impactChange } from './impact-change.ts'
import type { ImpactRequest } from './impact-request.ts'
import { impactWindow } from './impact-window.ts'
import { openChange } from './open-change.ts'
import { replaysBy } from './replay-columns.ts'

const TABLES = [...REPLAY_TABLES, 'order_book'] as const

/**
 * Computes what a version of an index would have done, beside the newest published one.
 * @throws {ServiceError} VALIDATION_*, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function versionImpact(request: ImpactRequest, inspected: InspectedDefinition): Promise<ImpactDocument> {
  const opened = await openChange(request, TABLES, async (session, state) => {
    const definition = await soundDefinition(inspected, session, 'allowed')
    return impactChange(request.warehouse, session, state, definition)
  })
  const { session, change, from, to } = opened
  try {
    const window = await impactWindow(session, [change.index.index_id], { from, to })
    const replays = await replaysOf(session, change, request)
    const lines = request.lines ?? (() => undefined)
    const input = { ...change, ...window, window, ...replays, lines }
    const sides = replaySides(input)
    const costs = (version: ImpactChange['next'], side: typeof sides.after) => {
      const spec = ruledBy(change.index, version, window.from - warmUp([version]))
      return manipulationCosts(session, { spec, columns: side.columns, ticksAt: replays.ticksAt })
    }
    const { change_id, base_hash, content_hash, index, base, next } = change
    return {
      ...{ statement: 'tidemark.impact.v1', engine: VERSION_IMPACT_ENGINE, change_id, index_id: index.index_id },
      ...{ version_before: base?.version ?? null, version_after: next.version, base_hash, content_hash },
      as_of: formatMicros(session.as_of),
      from: formatMicros(window.from),
      to: formatMicros(window.to),
      is_full_window: window.is_full_window,
      ...calculateImpact(input, sides),
      manipulation_cost: {
        before: base === null ? null : await costs(base, sides.before),
        after: await costs(next, sides.after),
      },
    }
  } finally {
    await session.close()
  }
}

async function replaysOf(session: ReadSession, { index, base, next }: ImpactChange, request: ImpactRequest) {
  const versions = base === null ? [next] : [base, next]
  const both: IndexSpec = { ...index, versions }
  const trades = versions.some(({ fixing }) => fixing !== null)
  const known_at_tick = await countingOf(session, index)
  const data = await loadLegData(session, legsOf(both), { trades, known_at_tick })
  const published_links = await loadLinks(session, index.index_id)
  const replays = replaysBy(request.engine, { data, published_links, signal: request.signal })
  return { ...replays, resolutionsOf: (leg: { readonly key: string }) => data.get(leg.key)!.resolutions }
}
