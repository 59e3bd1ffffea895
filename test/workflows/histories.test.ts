import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import * as workflows from '../../workflows/workflow-code.ts'
import { sized } from '../support/sized.ts'
import { replayHistory, replayOutcomes } from './support/replay-history.ts'

/** Recorded workflow histories (support/record-main.ts); today's code must decide the same again. */
const FOLDER = fileURLToPath(new URL('./histories/', import.meta.url))
const FILES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()

/** Histories of workflows as an earlier release decided them: runs of it may still be open, and go on in today's code. */
const EARLIER = readdirSync(`${FOLDER}earlier/`)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => `earlier/${file}`)

const MACHINE = /\d@|node_modules|\.ts:\d/

type Recorded = { events: { eventType: string; [attributes: string]: unknown }[] }
const runOf = ({ events }: Recorded) =>
  (events[0]!.workflowExecutionStartedEventAttributes as { originalExecutionRunId: string }).originalExecutionRunId
const read = (file: string) => JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as Recorded
const eventsOf = (type: string) =>
  new Set(FILES.filter((file) => file.startsWith(`${type}.`)).flatMap((file) => read(file).events.map(nameOf)))
const linesOf = (name: string) =>
  gunzipSync(readFileSync(`${FOLDER}${name}.ndjson.gz`))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
const nameOf = ({ eventType }: { eventType: string }) => eventType.replace('EVENT_TYPE_', '')

const decisions = ({ events }: Recorded) =>
  events.flatMap((event, place) => (nameOf(event) === 'WORKFLOW_TASK_COMPLETED' ? [place] : []))

/** Every beginning of a run that ends with news which no code has answered yet. */
const beginnings = (whole: Recorded): Recorded[] =>
  decisions(whole).flatMap((place) => {
    const end = whole.events.findLastIndex((event, n) => n < place && nameOf(event) === 'WORKFLOW_TASK_SCHEDULED')
    if (end < 3) return []
    const events = structuredClone(whole.events.slice(0, end))
    // Outcomes are told by this id.
    Object.assign(events[0]!.workflowExecutionStartedEventAttributes as object, {
      originalExecutionRunId: randomUUID(),
    })
    return [{ ...whole, events }]
  })
const BEGINNINGS = EARLIER.flatMap((file) => beginnings(read(file)))

const TYPES = Object.keys(workflows)
const EARLIER_MANY = ['settleAsset', 'backfillPart', 'backfill']
/** Histories of a file that are replayed: some of each kind of workflow in the fast lane. */
const EACH = sized(2, Number.POSITIVE_INFINITY)
/** Step between the beginnings that are continued, of runs of an earlier release. */
const EVERY = sized(6, 1)
/** Many histories of one workflow, by the name of their file. */
const MANY = new Map(
  [...EARLIER_MANY.map((type) => `earlier/varied/${type}`), ...TYPES.map((type) => `varied/${type}`)].map((name) => [
    name,
    linesOf(name).slice(0, EACH),
  ]),
)

const OPEN = BEGINNINGS.filter((_, n) => n % EVERY === 0)

/** Outcomes of all histories by their run: one worker replays them, because it takes longer to make than a history to replay. */
let outcomes: Map<string, Error | null>
beforeAll(async () => {
  const all = [...[...FILES, ...EARLIER].map(read), ...OPEN, ...[...MANY.values()].flat()]
  outcomes = await replayOutcomes(all)
  expect(outcomes.size, 'each run is of one history').toBe(all.length)
})

function expectReplayed(recorded: readonly Recorded[]): void {
  expect(recorded.map((one) => outcomes.get(runOf(one)))).toEqual(recorded.map(() => null))
}

test.each(EARLIER)('%s, of an earlier release, is decided as it was', (file) => {
  expect(outcomes.get(runOf(read(file)))).toBeNull()
})

describe('an open run of an earlier release goes on in the code of today', () => {
  test('wherever it was when the workers were replaced', () => {
    expect(BEGINNINGS.length).toBeGreaterThan(60)
    expectReplayed(OPEN)
  })

  test.each(EARLIER_MANY)('%s: many of them', (type) => {
    expectReplayed(MANY.get(`earlier/varied/${type}`)!)
  })
})

test.each(FILES)('%s is decided as it was', (file) => {
  expect(outcomes.get(runOf(read(file)))).toBeNull()
})

describe('every workflow has been recorded', () => {
  test.each(TYPES)('%s', (type) => {
    expect(eventsOf(type).size).toBeGreaterThan(5)
  })

  test.each(TYPES.filter((type) => type !== 'startScheduled'))('%s: also as it ended by a cancellation', (type) => {
    expect(eventsOf(type)).toContain('WORKFLOW_EXECUTION_CANCELED')
  })

  test('with retried activities, with final failures, and over several histories', () => {
    const retried = FILES.filter((file) => /"attempt":[2-9]/.test(readFileSync(`${FOLDER}${file}`, 'utf8')))
    expect(retried.length).toBeGreaterThanOrEqual(8)
    expect(eventsOf('publishTick')).toContain('WORKFLOW_EXECUTION_FAILED')
    for (const type of ['backfill', 'ingestVenue']) {
      expect(eventsOf(type)).toContain('WORKFLOW_EXECUTION_CONTINUED_AS_NEW')
    }
  })
})

describe('at least twenty of every workflow, with faults that a seed chose', () => {
  test.each(TYPES)('%s', (type) => {
    const recorded = MANY.get(`varied/${type}`)!
    expect(linesOf(`varied/${type}`).length).toBeGreaterThanOrEqual(20)
    expectReplayed(recorded)
    expect(JSON.stringify(recorded)).not.toMatch(MACHINE)
  })
})

test('a history that another code decided is refused', async () => {
  const other = read('publishTick.ordinary.1.json')
  for (const event of other.events) {
    const scheduled = event.activityTaskScheduledEventAttributes as { activityType: { name: string } } | undefined
    if (scheduled !== undefined) scheduled.activityType.name = 'publishLater'
  }
  await expect(replayHistory(other)).rejects.toThrow(/nondeterminism|TMPRL1100/i)
})

test('nothing of a history names the machine that recorded it', () => {
  for (const file of FILES) expect(readFileSync(`${FOLDER}${file}`, 'utf8')).not.toMatch(MACHINE)
})
