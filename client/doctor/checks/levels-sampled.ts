import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import { QUALITY_STATES } from '../../../vocabulary/index-level.ts'
import type { Answer } from '../asker.ts'
import type { CheckContext } from '../check.ts'

/** Indexes looked at, and levels of each beside its newest: one of each state that is not valid, then others. */
const INDEXES_MAX = 6
const LEVELS_EACH = 4
const SPECIAL: readonly string[] = QUALITY_STATES.filter((state) => state !== 'valid')

/** Yields sampled levels with their inputs, index by index. Ends when the time of the check does. */
export async function* sampledLevels(context: CheckContext): AsyncGenerator<Answer<IndexObservation>> {
  const { ask, world, sampler, more } = context
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id)
  for (const { index_id } of indexes.slice(0, INDEXES_MAX))
    for (const id of await chosenOf(context, index_id)) {
      if (!more()) return
      const path = `/indexes/${index_id}/prices/${id}`
      const found = await ask.get<IndexObservation>(path, { expand: 'inputs', as_of: world.at })
      if (found.status === 200) yield found
    }
}

async function chosenOf({ ask, world, sampler }: CheckContext, index_id: string): Promise<readonly string[]> {
  const latest = await ask.get<IndexObservation>(`/indexes/${index_id}/price`, { as_of: world.at })
  if (latest.status !== 200) return []
  const query = { as_of: world.at, include_corrections: true, limit: 1000 }
  const levels = await ask.get<readonly IndexObservation[]>(`/indexes/${index_id}/prices`, query)
  const shuffled = sampler.shuffled(levels.data ?? [], ({ observation_id }) => observation_id)
  const special = SPECIAL.flatMap((state) => shuffled.find(({ quality_state }) => quality_state === state) ?? [])
  const ids = [...special, latest.data, ...shuffled].map(({ observation_id }) => observation_id)
  return [...new Set(ids)].slice(0, LEVELS_EACH)
}
