import { dueBefore } from '../../../operations/index/compute-indexes.ts'
import { loadIndex } from '../../../operations/index/load-index.ts'
import { loadLinks, loadPublished } from '../../../operations/index/load-published.ts'
import { officialSteps } from '../../../operations/index/official-steps.ts'
import { openSeries } from '../../../operations/index/open-series.ts'
import { planLevels } from '../../../operations/index/plan-levels.ts'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

/**
 * Computes the newest due tick of some indexes the simple way: reads every definition and every quote, and computes every series
 * from its first tick on.
 */
export async function computeLatest(
  warehouse: Warehouse,
  index_ids: readonly string[],
): Promise<{ tick_at: Micros; observation_ids: readonly string[] }> {
  const now = await warehouse.now()
  const session = await openReadSession(warehouse, { as_of: now })
  try {
    const observation_ids: string[] = []
    let tick_at: Micros = 0
    for (const index_id of index_ids) {
      const index = await loadIndex(session, index_id)
      const published_links = await loadLinks(session, index_id)
      const known = new Map([...(await loadPublished(session, index_id))].slice(0, -1))
      const to = dueBefore(index, Number.MAX_SAFE_INTEGER, now)
      const series = await openSeries(session, index.spec, { to, published_links, known_at_tick: true })
      const plan = { from: index.spec.base_date, now, known, links: published_links, clock: 'wall' as const }
      for (const { row } of planLevels(index, officialSteps(series.twin()), plan).rows) {
        observation_ids.push(String(row.observation_id))
        tick_at = toMicros(row.tick_at)
      }
    }
    return { tick_at, observation_ids }
  } finally {
    await session.close()
  }
}
