import type { ApplicationFailure } from '@temporalio/common'
import type { Activities, PlanPageArgs } from '../../../workflows/activities/activity-types.ts'
import type { BackfillPart } from '../../../workflows/backfill-plan.ts'
import { seededRandom } from '../../support/random.ts'
import { bad, CHUNK, ONE_ACTIVITY, outage, type Scenario, type Script, type Step, scheduled } from './scenarios.ts'

/** Number of scenarios per kind. A run that ends by continuing as new is a history too. */
const COURSES = { simple: 20, ingest: 12, backfill: 24, scheduled: 20 } as const
const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-01-01T00:00:00Z')
const ATTEMPTS_MAX = 3

/** Those that go on as new after each activity. */
const ENDLESS: readonly string[] = ['ingestVenue', 'followOwnVenue']

type Random = ReturnType<typeof seededRandom>

/**
 * Courses of every workflow type with faults that a seed chooses: activities that fail once or more, fail for good, or go on
 * until they are cancelled, before or after a failure; plans of other sizes, done in histories of other lengths.
 */
export function variedScenarios(seed: number): Scenario[] {
  const random = seededRandom(seed)
  return [
    ...ONE_ACTIVITY.flatMap((one) =>
      numbered(ENDLESS.includes(one.workflow) ? COURSES.ingest : COURSES.simple, (n) => {
        const kind = KINDS[n % KINDS.length]!
        const script: Script = { [one.activity]: course(kind, one.value, random) }
        const { workflow, args, queue } = one
        return { workflow, args, queue, name: `varied ${n}`, script, ...(kind.cancels && { cancels: true as const }) }
      }),
    ),
    ...numbered(COURSES.backfill, (n) => backfillScenario(n, random)),
    ...numbered(COURSES.scheduled, (n) => scheduledScenario(n, random)),
  ]
}

function numbered<T>(count: number, of: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => of(n))
}

type Kind = { readonly fails_before: boolean; readonly ends: 'well' | 'badly'; readonly cancels?: true }
const KINDS: readonly Kind[] = [
  { fails_before: false, ends: 'well' },
  { fails_before: true, ends: 'well' },
  { fails_before: true, ends: 'badly' },
  { fails_before: false, ends: 'well', cancels: true },
  { fails_before: true, ends: 'well', cancels: true },
]

/** Returns the outcomes of one activity over its attempts. */
function course({ fails_before, ends, cancels }: Kind, value: unknown, random: Random): (attempt: number) => Step {
  const failures = fails_before ? 1 + Math.floor(random() * ATTEMPTS_MAX) : 0
  return (attempt) => {
    if (attempt <= failures) return { fails: outage() }
    if (cancels) return 'until cancelled'
    return ends === 'badly' ? { fails: bad() } : { gives: value }
  }
}

/** Parts of some days of some markets, whose chunks fare as dice fall; or the levels of an index. */
function backfillScenario(n: number, random: Random): Scenario {
  const cancels = n % 4 === 3
  const of_index = n % 6 === 5
  const parts = of_index
    ? [part('idx_demo', 1 + Math.floor(random() * 30))]
    : planOf(1 + Math.floor(random() * 5), random)
  const range = { from: parts[0]!.from, to: parts.at(-1)!.to }
  const chunks = parts.reduce((sum, { chunks }) => sum + chunks, 0)
  const faults = { retried: random() * 0.4, refused: n % 3 === 2 ? 0.2 : 0 }
  const acts = (value: unknown) => (attempt: number) => {
    if (cancels && random() < 0.5) return 'until cancelled' as const
    return chance(attempt, value, faults, random)
  }
  return {
    name: `varied ${n}`,
    workflow: 'backfill',
    queue: 'bulk',
    args: {
      backfill_id: `bkf_varied_${n}`,
      subject: of_index
        ? { kind: 'index', request: { index_id: 'idx_demo', ...range } }
        : { kind: 'venue', request: { venue_id: 'kalshi', ...range, markets: null } },
      state: null,
      parts_per_run: 1 + Math.floor(random() * 4),
    },
    script: {
      planBackfill: (attempt) =>
        n % 8 === 7 && attempt < 2 ? { fails: outage() } : { gives: { parts: parts.length, chunks } },
      readBackfillPlan: (attempt, args) => {
        const { offset, limit } = args as PlanPageArgs
        return attempt < 2 && random() < 0.2 ? { fails: outage() } : { gives: parts.slice(offset, offset + limit) }
      },
      recordBackfill: (attempt) => (attempt < 2 && random() < 0.1 ? { fails: outage() } : { gives: null }),
      backfillChunk: acts(CHUNK),
      computeIndexRange: acts({ ticks: chunks, published: chunks - 1, already_published: 1 }),
    },
    ...(cancels && { cancels: true as const }),
  }
}

function planOf(count: number, random: Random): BackfillPart[] {
  return numbered(count, (n) => part(`M${n}`, 1 + Math.floor(random() * 3)))
}

function part(subject: string, chunks: number): BackfillPart {
  const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString().replace('.000Z', 'Z')
  return { subject, from: at(0), to: at(chunks), chunks }
}

function chance(
  attempt: number,
  value: unknown,
  { retried, refused }: Record<'retried' | 'refused', number>,
  random: Random,
): Step {
  const dice = random()
  if (dice < refused) return failing(bad())
  return attempt <= ATTEMPTS_MAX && dice < refused + retried ? failing(outage()) : { gives: value }
}

const failing = (failure: ApplicationFailure): Step => ({ fails: failure })

/** Returns a scenario started by a schedule, awaited or not; every fourth finds its work already started. */
function scheduledScenario(n: number, random: Random): Scenario {
  const waits = n % 2 === 0
  const kind = KINDS[n % 3]!
  const activity: keyof Activities = waits ? 'publishDue' : 'ingestSession'
  const does = waits ? course(kind, ONE_ACTIVITY[0]!.value, random) : () => 'until cancelled' as const
  // An instant is part of a waited one's id, so two of them in one minute meet.
  const id = waits ? `varied-tick-${Math.floor(n / 4)}/<scheduled_at>` : `varied-ingest-${Math.floor(n / 4)}`
  const { workflow, args, queue } = scheduled(waits ? 'publishTick' : 'ingestVenue', id, waits, {})
  return { workflow, args, queue, name: `varied ${n}`, script: { [activity]: does } }
}
