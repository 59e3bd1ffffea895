import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Answer } from '../asker.ts'
import type { CheckContext } from '../check.ts'

/** Levels that every check of levels looks at, for each index: the newest, and others in seeded order. */
const OTHERS = 2
const PRIORITY = ['corrected', 'degraded', 'indicative', 'stale', 'suspended']

/**
 * Yields sampled levels with their inputs: of each index the newest level, one of each state that is not valid, then others.
 * Ends when the time of the check does.
 */
export async function* sampledLevels(context: CheckContext): AsyncGenerator<Answer<IndexObservation>> {
  const { ask, world, sampler, more } = context
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id)
  const queues: string[][] = []
  for (const { index_id } of indexes) {
    const levels = await ask.get<readonly IndexObservation[]>(`/indexes/${index_id}/prices`, {
      as_of: world.at,
      include_corrections: true,
      limit: 1000,
    })
    const latest = await ask.get<IndexObservation>(`/indexes/${index_id}/price`, { as_of: world.at })
    if (levels.status !== 200) continue
    const shuffled = sampler.shuffled(levels.data, ({ observation_id }) => observation_id)
    const special = PRIORITY.flatMap((state) => shuffled.find(({ quality_state }) => quality_state === state) ?? [])
    const chosen = [...special, ...shuffled.slice(0, OTHERS)].map(({ observation_id }) => observation_id)
    const newest = latest.status === 200 ? [latest.data.observation_id] : []
    queues.push([...new Set([...newest, ...chosen])].map((id) => `/indexes/${index_id}/prices/${id}`))
  }
  const rounds = Math.max(0, ...queues.map(({ length }) => length))
  for (let round = 0; round < rounds; round += 1)
    for (const path of queues.flatMap((queue) => queue[round] ?? [])) {
      if (!more()) return
      const found = await ask.get<IndexObservation>(path, { expand: 'inputs', as_of: world.at })
      if (found.status === 200) yield found
    }
}
