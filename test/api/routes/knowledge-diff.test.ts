import { expect, test } from 'vitest'
import { listKnowledgeChanges } from '../../../api/routes/knowledge-diff.ts'
import type { RouteRequest } from '../../../api/server/handler.ts'
import { readInSteps } from '../../../api/server/read-in-steps.ts'
import { formatMicros, MICROS_PER_DAY, toMicros } from '../../../primitives/instants.ts'
import { KNOWLEDGE_DIFF } from '../../../protocol/limits.ts'
import type { Row } from '../../../warehouse/schema.ts'

const START = toMicros('2026-01-01T00:00:00Z')
const [FROM, TO] = [START + MICROS_PER_DAY * 200, START + MICROS_PER_DAY * 400]
const ticks = Array.from({ length: KNOWLEDGE_DIFF.page_max }, (_, n) => START + n * MICROS_PER_DAY)

/** Level of a tick in a revision; the second one became known between the two instants. */
function levelOf(tick: number, revision: 1 | 2): Row {
  const [tick_at, published_at] = [formatMicros(tick), formatMicros(revision === 1 ? tick + 1 : TO - 1)]
  const observation_id = `obs_${tick}_${revision}`
  return { observation_id, index_id: 'idx_a', tick_at, revision, level: `${revision}.0`, published_at, row_ordinal: 0 }
}

/** A history of revised levels that counts its reads. */
function countedHistory() {
  const reads: string[] = []
  const counted = async (name: string, rows: readonly Row[]) => {
    reads.push(name)
    return rows.map((row) => ({ ...row, inputs: [] }))
  }
  const history = {
    observations: () =>
      counted(
        'observations',
        ticks.map((tick) => levelOf(tick, 2)),
      ),
    wholeObservations: (_id: string, rows: readonly Row[]) => counted('wholeObservations', rows),
    // The first half of the ticks had a level at the earlier instant.
    observationsAtTicks: (_id: string, asked: readonly number[]) =>
      counted(
        'observationsAtTicks',
        asked.slice(0, asked.length / 2).map((tick) => levelOf(tick, 1)),
      ),
  }
  return { reads, reader: { asOf: (_at: number, read: (pinned: object) => unknown) => read({ history }) } }
}

test('the greatest page of levels is read in three queries, not in some for each level', async () => {
  const { reads, reader } = countedHistory()
  const [from_as_of, to_as_of] = [formatMicros(FROM), formatMicros(TO)]
  const answer = await listKnowledgeChanges({
    parameters: { index_id: 'idx_a', from_as_of, to_as_of, limit: KNOWLEDGE_DIFF.page_max },
    reader,
    cursor: { as_of: TO, key: ['levels'] },
  } as unknown as RouteRequest)
  const changes = answer.data as { readonly change: string; readonly subject_id: string }[]
  expect(reads).toEqual(['observations', 'wholeObservations', 'observationsAtTicks'])
  expect(changes.map(({ subject_id }) => subject_id)).toEqual(ticks.map(formatMicros))
  const half = ticks.length / 2
  expect(changes.map(({ change }) => change)).toEqual([...Array(half).fill('revised'), ...Array(half).fill('added')])
})

test('reads of many items are few at once, and in the order of the items', async () => {
  let [running, most] = [0, 0]
  const items = Array.from({ length: 50 }, (_, n) => n)
  const doubled = await readInSteps(items, async (n) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return 2 * n
  })
  expect(doubled).toEqual(items.map((n) => 2 * n))
  expect([running, most]).toEqual([0, 8])
})
