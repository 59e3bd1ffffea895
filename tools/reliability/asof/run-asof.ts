import { createRandom, type Random } from '../../../simulator/world/random.ts'
import { TABLE_NAMES } from '../../../warehouse/tables.ts'
import { Acts } from '../flows/acts.ts'
import { type KnownRecords, readKnownRecords } from '../requests/known-records.ts'
import { AsofWorld } from './asof-world.ts'
import { type Answered, answerTo, newQuery, type Query } from './recorded-query.ts'
import { ACTS, type Act, WarehouseActs } from './warehouse-acts.ts'

export type AsofOptions = {
  /** Empty; everything is below it. */
  readonly folder: string
  readonly seed: number
  /** Answers that are compared at least. */
  readonly comparisons: number
  /** Answers as they are compared; a test plants a fault here. */
  readonly answer?: typeof answerTo
  readonly onRound?: (text: string) => void
}

export type AsofReport = {
  readonly lane: 'rel:asof'
  readonly seed: number
  readonly comparisons: number
  readonly rounds: number
  readonly acts: Readonly<Record<Act, number>>
  /** Recorded questions by their way and status. */
  readonly queries: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** A question and its answer when it was first asked. */
type Recorded = { readonly query: Query; readonly first: Answered }

/** Rounds after which no more questions are recorded, where the count is full. */
const RECORDING_ROUNDS = 20
const AT_ONCE = 4
/** Refused questions are no questions, so others are made in their stead. */
const REFUSED = 400

/**
 * Records questions with an instant each, and changes the warehouse round by round: appends, backfills, corrections, new levels,
 * compaction, clean-up, restarts. After each round every recorded question is asked again. Its answer must be the same for ever.
 */
export async function runAsof(options: AsofOptions): Promise<AsofReport> {
  const world = await AsofWorld.start(options.folder)
  try {
    return await compareAll(world, options)
  } finally {
    await world.close()
  }
}

async function compareAll(world: AsofWorld, options: AsofOptions): Promise<AsofReport> {
  const { seed, comparisons, answer = answerTo, onRound } = options
  const asked = { world, answer, known: await readKnownRecords(world.root), random: createRandom(seed, 'asof') }
  const acts = new Acts<Act>(ACTS, createRandom(seed, 'acts'))
  const changes = new WarehouseActs(world, createRandom(seed, 'changes'))
  const recorded: Recorded[] = []
  const violations: string[] = []
  let [compared, rounds] = [0, 0]
  while (violations.length === 0 && (compared < comparisons || acts.missing().length > 0)) {
    rounds += 1
    if (rounds <= RECORDING_ROUNDS) recorded.push(...(await record(asked, Math.max(3, Math.ceil(comparisons / 1000)))))
    let done = ''
    await acts.next(async (act) => {
      done = act
      await changes.perform(act)
      return true
    })
    violations.push(...(await changed(asked, recorded)).map((found) => `after ${done}: ${found}`))
    compared += recorded.length
    onRound?.(`round ${rounds}, ${done}: ${compared} compared, ${violations.length} changed`)
  }
  violations.push(...(await damages(world)))
  const queries = countsOf(recorded)
  return { lane: 'rel:asof', seed, comparisons: compared, rounds, acts: acts.counts(), queries, violations }
}

type Asked = {
  readonly world: AsofWorld
  readonly known: KnownRecords
  readonly random: Random
  readonly answer: typeof answerTo
}

async function record({ world, known, random, answer }: Asked, count: number): Promise<Recorded[]> {
  const found: Recorded[] = []
  while (found.length < count) {
    const query = await newQuery(world, known, random)
    const first = await answer(world, query)
    if (first.status !== REFUSED) found.push({ query, first })
  }
  return found
}

/** Returns the questions with another answer than at first. */
async function changed({ world, answer }: Asked, recorded: readonly Recorded[]): Promise<string[]> {
  const found: string[] = []
  const waiting = [...recorded]
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const now = await answer(world, one.query)
      if (now.sha256 !== one.first.sha256 || now.status !== one.first.status)
        found.push(JSON.stringify({ ...one, now }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

/** Damages that the log's own check finds. */
async function damages({ warehouse }: AsofWorld): Promise<string[]> {
  const found: string[] = []
  for (const table of TABLE_NAMES) {
    const { violations } = await warehouse.log(table).verify()
    found.push(...violations.map((violation) => `${table}: ${JSON.stringify(violation)}`))
  }
  return found
}

function countsOf(recorded: readonly Recorded[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { query, first } of recorded) {
    const name = first.status === null ? query.kind : `${query.kind} ${first.status}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
