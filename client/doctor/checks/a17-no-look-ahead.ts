import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Methodology } from '../../../protocol/resources/methodology.ts'
import type { Resolution } from '../../../protocol/resources/resolution.ts'
import { knownAt } from '../../verify/market-records.ts'
import type { Answer, Asker } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { later } from '../world.ts'
import { sampledLevels } from './levels-sampled.ts'

type Leg = {
  readonly market_id: string
  readonly source_observation_ids: readonly string[]
  readonly origin_rule: string | null
}
/** Record behind the id of an observation, whatever its kind. */
type FoundObservation = { readonly record: { readonly published_at: string; readonly source_at: string } }
/** Longest time after a tick in which a record may still arrive, in microseconds. */
const GRACE = 5_000_000
const LEGS_SAMPLED = 4

/** A17: a level at T used only what was published by T; a correction leaves the past answer as it was. */
export const NO_LOOK_AHEAD: Check = {
  id: 'A17',
  title: 'No look-ahead',
  compares:
    'published_at of a level, and of every quote and resolution it used; a level before and after its correction',
  share: 3,
  async run(context) {
    for await (const level of sampledLevels(context)) {
      await compareChain(context, level)
      const legs = (level.data.inputs ?? []).flatMap((input) => input.legs as readonly Leg[])
      const { sampler } = context
      for (const leg of sampler
        .shuffled(legs, (one) => `${level.data.observation_id} ${one.market_id}`)
        .slice(0, LEGS_SAMPLED))
        await compareLeg(context, level, leg)
    }
  },
}

/** Just before a correction was published, the level that it supersedes was current. */
async function compareChain({ ask, find }: CheckContext, level: Answer<IndexObservation>): Promise<void> {
  const { index_id, supersedes_id, published_at, tick_at } = level.data
  if (supersedes_id === null) return
  const range = { time_domain: 'source', start_time: tick_at, end_time: later(tick_at, 1) }
  const before = await ask.get<readonly IndexObservation[]>(`/indexes/${index_id}/prices`, {
    ...range,
    as_of: later(published_at, -1),
  })
  const after = await ask.get<readonly IndexObservation[]>(`/indexes/${index_id}/prices`, {
    ...range,
    as_of: published_at,
  })
  const ids = (answer: typeof before) =>
    answer.data?.filter((one) => one.tick_at === tick_at).map(({ observation_id }) => observation_id)
  find.equal(
    { request: before.request, value: ids(before) },
    { request: `${level.request}: supersedes_id`, value: [supersedes_id] },
  )
  find.equal(
    { request: after.request, value: ids(after) },
    { request: level.request, value: [level.data.observation_id] },
  )
}

async function compareLeg(context: CheckContext, level: Answer<IndexObservation>, leg: Leg): Promise<void> {
  const { ask, find } = context
  const source = leg.source_observation_ids[0]
  if (source === undefined) return
  const as_of = level.data.published_at
  if (leg.origin_rule === 'M0') return compareResolution(context, level, leg, source)
  const quote = await ask.get<FoundObservation>(`/observations/${source}`, { as_of })
  if (quote.code === 'SOURCE_NOT_PUBLIC') return
  const published_at = quote.data?.record.published_at
  const known = published_at !== undefined && toMicros(published_at) <= toMicros(as_of)
  const side = { request: quote.request, value: quote.code ?? published_at }
  if (!find.holds(known, 'published_at', { request: level.request, value: as_of }, side)) return
  const { source_at } = quote.data.record
  const in_time = toMicros(source_at) <= toMicros(level.data.tick_at)
  find.holds(
    in_time,
    'source_at',
    { request: level.request, value: level.data.tick_at },
    { request: quote.request, value: source_at },
  )
}

/** Reports whether the methodology of a level settles from finality on; the first text settled from the event's own clock. */
async function settlesWhenFinal(ask: Asker, level: IndexObservation): Promise<boolean> {
  const path = `/methodologies/${level.methodology_id}/versions/${level.methodology_version}`
  const found = await ask.get<Methodology>(path)
  return (found.data?.parameters as { settle_from?: string } | undefined)?.settle_from === 'final_at'
}

/** A resolution counts from the instant at which it became final. */
async function compareResolution(
  { ask, find }: CheckContext,
  level: Answer<IndexObservation>,
  leg: Leg,
  evidence_id: string,
) {
  const { published_at, tick_at } = level.data
  const path = `/markets/${leg.market_id}/resolution`
  const found = await ask.get<Resolution & { final_at?: string | null }>(path, { evidence_id, as_of: published_at })
  const request = `${level.request}: leg ${leg.market_id} settled`
  if (found.status !== 200)
    return void find.holds(
      false,
      'evidence_id',
      { request, value: evidence_id },
      { request: found.request, value: found.code },
    )
  find.same('finality', { request, value: 'final' }, { request: found.request, value: found.data.finality })
  if (!(await settlesWhenFinal(ask, level.data))) return
  const { final_at = null } = found.data
  const then = await ask.get<Resolution>(path, { evidence_id, as_of: later(tick_at, GRACE) })
  const known_at = final_at ?? formatMicros(knownAt(found.data))
  const was_final = final_at === null && then.status === 200 && then.data.finality === 'final'
  const holds = was_final || toMicros(known_at) <= toMicros(tick_at) + GRACE
  find.holds(holds, 'resolution became final', { request, value: tick_at }, { request: found.request, value: known_at })
}
