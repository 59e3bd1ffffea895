import type { LegData } from '../../pipelines/index/admission.ts'
import { legsOf } from '../../pipelines/index/admit.ts'
import type { Micros } from '../../primitives/instants.ts'
import { statement } from '../../warehouse/queries/statements.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Clock } from '../apply-definitions.ts'
import { dueBefore } from '../compute-indexes.ts'
import { LiveSeries } from '../index/live-series.ts'
import { loadIndex, type PublishedIndex } from '../index/load-index.ts'
import { loadLegData } from '../index/load-leg-data.ts'
import { loadLinks, loadPublished } from '../index/load-published.ts'
import { type PlannedLevels, planLevels } from '../index/plan-levels.ts'

type Followed = { readonly index: PublishedIndex; readonly series: LiveSeries; readonly versions: string }

/** Indexes whose series go on tick by tick in this process; what a tick needs of the ticks before it is remembered. */
export class LiveLevels {
  readonly #followed = new Map<string, Followed>()
  readonly #follows: (index_id: string) => boolean

  /** @param follows which indexes are computed */
  constructor(follows: (index_id: string) => boolean = () => true) {
    this.#follows = follows
  }

  /**
   * The levels of every index that are due at `now` and not published yet.
   * @param session shows the warehouse as of `now` or later, so that no row still to come counts for a tick that is due
   */
  async plan(session: ReadSession, now: Micros, clock: Clock): Promise<PlannedLevels[]> {
    const indexes: Followed[] = []
    for (const row of await session.query(statement('index_ids'))) {
      const index_id = String(row.index_id)
      if (this.#follows(index_id)) indexes.push(await this.#follow(session, index_id))
    }
    const legs = indexes.flatMap(({ index }) => legsOf(index.spec))
    const trades = indexes.some(({ index }) => index.spec.versions.some((version) => version.fixing !== null))
    const data = await loadLegData(session, legs, { trades, known_at_tick: true })
    const planned: PlannedLevels[] = []
    for (const followed of indexes) planned.push(await planIndex(followed, data, session, now, clock))
    return planned
  }

  /** A version published since ends the one before it, so the series begins anew over all its versions. */
  async #follow(session: ReadSession, index_id: string): Promise<Followed> {
    const index = await loadIndex(session, index_id)
    const versions = index.spec.versions.map(({ index_version_id }) => index_version_id).join()
    const known = this.#followed.get(index_id)
    if (known?.versions === versions) return known
    const series = new LiveSeries(index.spec, await loadLinks(session, index_id))
    const followed = { index, series, versions }
    this.#followed.set(index_id, followed)
    return followed
  }
}

async function planIndex(
  { index, series }: Followed,
  data: ReadonlyMap<string, LegData>,
  session: ReadSession,
  now: Micros,
  clock: Clock,
): Promise<PlannedLevels> {
  const { index_id } = index.spec
  const [known, links] = [await loadPublished(session, index_id), await loadLinks(session, index_id)]
  const steps = series.take(data, dueBefore(index, Number.MAX_SAFE_INTEGER, now))
  return planLevels(index, steps, { from: index.spec.base_date, now, known, links, clock })
}
