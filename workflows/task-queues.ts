/**
 * Task queues of workflows, whose tasks take milliseconds. Every worker of a group serves its queue, and also the activities in it that
 * workflows of earlier releases wait for. Work for our own exchange runs where its trading database is.
 */
export const TASK_QUEUES = {
  live: 'tidemark',
  bulk: 'tidemark-bulk',
  settlement: 'tidemark-settlement',
  venue: 'tidemark-own-venue',
} as const
export type TaskQueue = keyof typeof TASK_QUEUES

/** Deployment of all versioned workers: fleets share queues, and a queue has one current build, whatever deployment promotes it. */
export const DEPLOYMENT = 'tidemark'

/**
 * Kinds of work. Each has task queues of its own for activities, which take the time: a tick never waits behind a backfill, nor one
 * venue behind another, and each kind can have as many workers as it needs.
 */
const WORK_KINDS = ['publish', 'ingest', 'compute', 'replay', 'backfill', 'settlement', 'venue'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** Queues of activities by kind; ingest has one for each venue. */
export const ACTIVITY_QUEUES: Readonly<Record<Exclude<WorkKind, 'ingest'>, string>> = {
  publish: 'tidemark-publish',
  compute: 'tidemark-compute',
  replay: 'tidemark-replay',
  backfill: 'tidemark-backfill',
  settlement: TASK_QUEUES.settlement,
  venue: TASK_QUEUES.venue,
}

/** Returns the queue of the sessions of a venue. */
export function ingestQueue(venue_id: string): string {
  return `tidemark-ingest-${venue_id}`
}

/** Values of `worker --queue`: kinds of work, and groups of them. The groups `live` and `bulk` are names of earlier releases. */
export const QUEUE_NAMES = [...WORK_KINDS, 'trading', 'live', 'bulk'] as const
export type QueueName = (typeof QUEUE_NAMES)[number]

const GROUPS: Readonly<Record<Exclude<QueueName, WorkKind>, readonly WorkKind[]>> = {
  trading: ['settlement', 'venue'],
  live: ['publish', 'ingest'],
  bulk: ['compute', 'replay', 'backfill'],
}

/** Returns the kinds of work that names stand for, each once. */
export function kindsOf(names: readonly QueueName[]): readonly WorkKind[] {
  return [
    ...new Set(names.flatMap((name) => (name in GROUPS ? GROUPS[name as keyof typeof GROUPS] : [name as WorkKind]))),
  ]
}

const GROUP_OF: Readonly<Record<WorkKind, TaskQueue>> = {
  publish: 'live',
  ingest: 'live',
  compute: 'bulk',
  replay: 'bulk',
  backfill: 'bulk',
  settlement: 'settlement',
  venue: 'venue',
}

/**
 * Activities at once. Those of compute and backfill need the processor; a part of a replay takes a whole core, so that several workers
 * share the parts. Most of settlement wait for something to settle.
 */
const ACTIVITIES_MAX: Readonly<Record<WorkKind | TaskQueue, number>> = {
  ...{ live: 16, publish: 4, ingest: 2 },
  ...{ bulk: 4, compute: 4, replay: 1, backfill: 4 },
  ...{ settlement: 64, venue: 4 },
}

/** Queue that a worker serves. */
export type ServedQueue = {
  readonly kind: WorkKind | TaskQueue
  readonly name: string
  /** Whether it has tasks of workflows too, for which a worker needs a thread and about 60 MB. */
  readonly workflows: boolean
  readonly activities_max: number
}

/**
 * Returns the queues of kinds of work.
 * @param venues whose sessions are served
 */
export function servedQueues(kinds: readonly WorkKind[], venues: readonly string[]): readonly ServedQueue[] {
  const queue = (kind: WorkKind | TaskQueue, name: string, workflows: boolean): ServedQueue => {
    return { kind, name, workflows, activities_max: ACTIVITIES_MAX[kind] }
  }
  const groups = [...new Set(kinds.map((kind) => GROUP_OF[kind]))].map((group) =>
    queue(group, TASK_QUEUES[group], true),
  )
  const own = kinds.flatMap((kind) => {
    if (kind === 'ingest') return venues.map((venue_id) => queue(kind, ingestQueue(venue_id), false))
    return kind === GROUP_OF[kind] ? [] : [queue(kind, ACTIVITY_QUEUES[kind], false)]
  })
  return [...groups, ...own]
}

export type TaskKind = 'workflow' | 'activity'

/** Returns the queues of kinds of work once for each kind of task that they have, those of workflows first. */
export function servedTasks(
  kinds: readonly WorkKind[],
  venues: readonly string[],
): readonly (Pick<ServedQueue, 'kind' | 'name'> & { readonly task: TaskKind })[] {
  const queues = servedQueues(kinds, venues)
  const of = (task: TaskKind) => (queue: ServedQueue) => ({ kind: queue.kind, name: queue.name, task })
  return [...queues.filter(({ workflows }) => workflows).map(of('workflow')), ...queues.map(of('activity'))]
}
