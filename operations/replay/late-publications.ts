import { legsOfVersion } from '../../pipelines/index/admit.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import { countedFrom, countingOf, countingParameters } from '../index/counting.ts'

/** Record that a replay admits at a tick, and that was published after the tick's cutoff and grace: no level published live has it. */
export type LatePublication = {
  readonly kind: string
  /** Constituents of the tick's version that read its market. */
  readonly constituent_ids: readonly string[]
  readonly market_id: string
  readonly received_at: Instant
  readonly published_at: Instant
}

/** Returns the late publications at ticks of an index, by tick, the one that was published last for each. */
export async function latePublications(
  session: ReadSession,
  spec: IndexSpec,
  ticks: readonly Instant[],
): Promise<ReadonlyMap<Instant, LatePublication>> {
  if (ticks.length === 0) return new Map()
  const versionAt = (tick: Micros) => spec.versions.findLast(({ effective_from }) => effective_from <= tick)
  const ruled = ticks.flatMap((tick_at) => {
    const version = versionAt(toMicros(tick_at))
    return version === undefined ? [] : [{ tick_at, version }]
  })
  const legs = ruled.flatMap(({ version }) => legsOfVersion(version))
  const rows = await session.query(
    readSql(import.meta.url, 'sql/published_after_ticks.sql', { counted_from: countedFrom() }),
    {
      market_ids: [...new Set(legs.map(({ market_id }) => String(market_id)))],
      tick_ats: ruled.map(({ tick_at }) => tick_at),
      graces_us: ruled.map(({ version }) => String(version.methodology.parameters.grace)),
      ...countingParameters(await countingOf(session, spec)),
    },
  )
  const found = rows.map((row): readonly [Instant, LatePublication] => {
    const { constituents } = versionAt(toMicros(row.tick_at))!
    const readers = constituents.filter(({ legs }) => legs.some(({ market_id }) => market_id === row.market_id))
    const constituent_ids = readers.map(({ constituent_id }) => String(constituent_id))
    const { tick_at, ...record } = row as unknown as LatePublication & { readonly tick_at: Instant }
    return [tick_at, { ...record, constituent_ids }]
  })
  return new Map(found)
}
