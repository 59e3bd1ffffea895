import type { AppliedIndex } from '../operations/index/plan-definition.ts'
import { openPauses } from '../operations/pause/pauses.ts'
import type { Instant } from '../primitives/instants.ts'
import { SCHEDULE_IDS } from '../vocabulary/schedules.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Settings } from './configuration.ts'
import { followedIndexes } from './live/followed-indexes.ts'
import { isHomeServed } from './up/lock-home.ts'

/**
 * Publisher of the levels of an applied index:
 *   running      a service of this home, within about a minute
 *   paused       nobody, while publication is paused
 *   not_running  no service of this home: a worker of the warehouse, which may be on another machine, or the next service
 *   never        no service: the index covers a past week only
 */
type Publisher = 'running' | 'paused' | 'not_running' | 'never'

/** Publication of an applied index; null: no version of it was published now. */
export type PublicationOutlook = { readonly publisher: Publisher; readonly first_tick_at: Instant } | null

/** Returns by whom, and from which tick on, applied indexes are published. */
export async function publicationOutlooks(
  settings: Pick<Settings, 'home'>,
  warehouse: Warehouse,
  indexes: readonly AppliedIndex[],
): Promise<readonly PublicationOutlook[]> {
  if (indexes.every(({ first_tick_at }) => first_tick_at === null)) return indexes.map(() => null)
  const follows = await followedIndexes()
  const pause = await openPauses(warehouse).of(SCHEDULE_IDS.publish)
  const publisher = pause !== null ? 'paused' : (await isHomeServed(settings.home)) ? 'running' : 'not_running'
  return indexes.map(({ index_id, first_tick_at }) =>
    first_tick_at === null ? null : { publisher: follows(index_id) ? publisher : 'never', first_tick_at },
  )
}

/** Returns the outlook of an index as sentences, with what to do next. */
export function outlookText(index_id: string, { publisher, first_tick_at }: NonNullable<PublicationOutlook>): string {
  const from = `from the tick at ${first_tick_at} on, past ticks included`
  const compute = `tidemark index compute ${index_id} --from ${first_tick_at} --to now`
  const resume = `tidemark schedules resume ${SCHEDULE_IDS.publish}`
  switch (publisher) {
    case 'running':
      return `The service that runs in this home publishes ${index_id} ${from}. Its levels: tidemark index show ${index_id}`
    case 'paused':
      return `Publication is paused, so no service publishes ${index_id}. To resume: ${resume}`
    case 'not_running':
      return `No \`tidemark up\` runs in this home. A worker of its warehouse (\`tidemark worker\`), or the next \`tidemark up\`, publishes ${index_id} ${from}. Without one: ${compute}`
    case 'never':
      return `No service publishes ${index_id}, because it covers a past week only. To publish its levels: ${compute}`
  }
}
