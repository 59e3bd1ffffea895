import type { Answer } from '../asker.ts'
import type { CheckContext } from '../check.ts'
import { firstUnequal } from '../compare.ts'
import type { Subscription } from '../stream-follower.ts'
import { type Assessment, type AssessmentSeries, sampledSeries } from './assessment-series.ts'

/** Ratings and severity on the stream: a snapshot is what REST answers, an event is the record that REST has by its id. */
export type RecordStreams = {
  readonly wanted: readonly Pick<Subscription, 'topic' | 'filter'>[]
  compare(subscriptions: readonly Subscription[]): Promise<void>
}

/** Reads what is in force of sampled series before the stream is asked. */
export async function beginRecordStreams(context: CheckContext): Promise<RecordStreams> {
  const series = await sampledSeries(context)
  const now = ({ in_force, query }: AssessmentSeries) => context.ask.again<Assessment>(in_force, query)
  const before = await Promise.all(series.map(now))
  const wanted = new Map(series.map(({ topic, filter }) => [nameOf({ topic, filter }), { topic, filter }]))
  return {
    wanted: [...wanted.values()],
    async compare(subscriptions) {
      const by_name = new Map(subscriptions.map((one) => [nameOf(one), one]))
      for (const [n, one] of series.entries()) {
        const subscription = by_name.get(nameOf(one))
        const asked = { series: one, before: before[n]!, after: () => now(one) }
        if (subscription?.refused === null) await compareSeries(context, subscription, asked)
      }
    },
  }
}

type Asked = {
  readonly series: AssessmentSeries
  readonly before: Answer<Assessment>
  readonly after: () => Promise<Answer<Assessment>>
}

async function compareSeries(
  { ask, find }: CheckContext,
  { topic, filter, states }: Subscription,
  { series, before, after }: Asked,
): Promise<void> {
  const { query, record, id } = series
  const state = states.get(query.assessment_type ?? '')
  if (state === undefined) return
  const { type, data, seq } = state
  // A record may take effect while the stream is asked: the snapshot is then the answer of before or after.
  const expected =
    type === 'event'
      ? await ask.again<Assessment>(record(String(data[id])))
      : firstUnequal(data, before.data) === null
        ? before
        : await after()
  const shown = JSON.stringify({ ...filter, ...query })
  find.equal(
    { request: `${type} of ${topic} ${shown} (seq ${seq})`, value: data },
    { request: expected.request, value: expected.data ?? { code: expected.code } },
  )
}

function nameOf({ topic, filter }: Pick<Subscription, 'topic' | 'filter'>): string {
  return `${topic} ${JSON.stringify(filter)}`
}
