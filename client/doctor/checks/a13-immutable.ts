import type { Trade } from '../../../protocol/resources/trade.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { isOwn, recentPrices, tapeAt } from '../world.ts'
import { type AssessmentSeries, recordsOf, sampledSeries } from './assessment-series.ts'

/** Records compared with each other by id. */
type Stamped = Readonly<Record<string, unknown>> & {
  readonly published_at: string | null
  readonly received_at?: string | null
}

/** A13: a record that never changes has one received_at and one published_at in every answer. */
export const IMMUTABLE_AGREES: Check = {
  id: 'A13',
  title: 'One record, one stamp',
  compares:
    'a trade, price, rating or severity record in the list of now, in the list of an earlier instant, in its detail, and by its id alone',
  share: 2,
  async run(context) {
    const { ask, world, more } = context
    const markets = (await world.priced(ask)).filter(world.tradesArePublic)
    const some = [...markets.filter(isOwn).slice(0, 4), ...markets.filter((market) => !isOwn(market)).slice(0, 4)]
    for (const market of some) {
      if (!more()) return
      const tape = await tapeAt(ask, market, world.at)
      const last = tape.data?.at(-1)
      if (tape.status !== 200 || last === undefined) continue
      const now = await ask.list<Trade>(`/markets/${market.market_id}/trades`, {}, 4)
      const then = await tapeAt(ask, market, last.published_at)
      compareStamps(context, now, tape, 'trade_id')
      compareStamps(context, tape, then, 'trade_id')
      await compareAlone(context, tape, { kind: 'trade', id: last.trade_id, record: last })
      const at_once = await ask.get(`/observations/${last.trade_id}`, { as_of: last.published_at })
      context.find.holds(
        at_once.status === 200,
        'published_at',
        { request: `${tape.request} (${last.trade_id})`, value: last.published_at },
        { request: at_once.request, value: at_once.code ?? at_once.status },
      )
    }
    await compareObservations(context)
    for (const series of await sampledSeries(context)) {
      if (!more()) return
      await compareAssessments(context, series)
    }
  },
}

/** Compares the records of a rating or a severity in the lists of now and of an earlier instant, and at their own address. */
async function compareAssessments(context: CheckContext, series: AssessmentSeries): Promise<void> {
  const { ask, world } = context
  const { in_force, query, id } = series
  const listed = await recordsOf(context, series, world.at)
  const last = listed.data?.at(-1)
  if (listed.status !== 200 || last === undefined) return
  compareStamps(context, listed, await recordsOf(context, series, null), id)
  const shown = await ask.get<Stamped>(in_force, { ...query, as_of: world.at })
  if (shown.status === 200) compareStamps(context, { ...shown, data: [shown.data] }, listed, id)
  const record = await ask.get<Stamped>(series.record(String(last[id])))
  if (record.status === 200) compareStamps(context, { ...record, data: [record.data] }, listed, id)
}

async function compareObservations(context: CheckContext): Promise<void> {
  const { ask, world, sampler, more } = context
  for (const market of (await world.priced(ask)).slice(0, 4)) {
    const recent = await recentPrices(ask, market, world.at)
    for (const item of sampler.shuffled(recent?.data ?? [], ({ observation_id }) => observation_id).slice(0, 2)) {
      if (!more()) return
      const detail = await ask.get<Stamped>(`/markets/${market.market_id}/prices/${item.observation_id}`)
      if (detail.status !== 200 || recent === null) continue
      compareStamps(context, { ...recent, data: [item] }, { ...detail, data: [detail.data] }, 'observation_id')
      const { observation_id: id } = item
      await compareAlone(context, detail, { kind: 'market_observation', id, record: detail.data })
    }
  }
}

type Alone = { readonly kind: string; readonly id: string; readonly record: unknown }

/** Compares a record of an answer, field by field, with the answer to its id alone. */
export async function compareAlone(
  { ask, find }: CheckContext,
  { request }: Answer,
  { kind, id, record }: Alone,
): Promise<void> {
  const alone = await ask.get<Omit<Alone, 'id'>>(`/observations/${id}`)
  const found = alone.data === null ? { code: alone.code } : { kind: alone.data.kind, record: alone.data.record }
  find.equal({ request: `${request} (${id})`, value: { kind, record } }, { request: alone.request, value: found })
}

/** Compares both clocks of every record that both answers have. */
function compareStamps(
  { find }: CheckContext,
  first: Answer<readonly Stamped[]>,
  second: Answer<readonly Stamped[]>,
  id: string,
): void {
  const known = new Map(second.data.map((record) => [record[id], record]))
  for (const record of first.data) {
    const other = known.get(record[id])
    if (other === undefined) continue
    const side = (answer: Answer, { received_at, published_at }: Stamped) => ({
      request: `${answer.request} (${record[id]})`,
      value: { received_at, published_at },
    })
    if (!find.equal(side(first, record), side(second, other))) return
  }
}
