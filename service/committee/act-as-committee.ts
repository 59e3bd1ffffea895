import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scoringOfHome } from '../../operations/rating/load-scoring.ts'
import { listRatings, showRating } from '../../operations/rating/read-ratings.ts'
import { listWaiting } from '../../operations/review/list-waiting.ts'
import { actingRoster } from '../../operations/review/read-roster.ts'
import { listSeverity, showSeverity } from '../../operations/severity/read-severity.ts'
import { SEVERITY_SUBJECT } from '../../operations/severity/severity-subject.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { liveFolder } from '../live/live-world.ts'
import { governSandbox } from './govern-sandbox.ts'
import { type Committee, openCommittee, sandboxActor } from './open-committee.ts'
import { SANDBOX_ACTS, type SandboxAct, type SandboxSubject } from './sandbox-acts.ts'

export type CommitteePorts = {
  readonly home: string
  readonly warehouse: Warehouse
  readonly signal?: AbortSignal | undefined
}

/**
 * Creates the records of a sandbox committee: forms, approvals, an override, disputes and a forecast, each signed by an invented member.
 * Acts of an earlier start are kept and missing ones added. A home with its own roster gets none.
 */
export async function actAsCommittee({ home, warehouse, signal }: CommitteePorts): Promise<void> {
  const known = await readStory(home)
  const committee = await openCommittee(home)
  if (committee === null) return
  if (!(await governSandbox(warehouse, committee))) return
  if (known?.is_over === true) return
  const subjects = known?.subjects ?? (await chooseSubjects(warehouse))
  if (subjects === null) return
  // Saved first, so an interrupted start continues with the same markets.
  await writeStory(home, { subjects, is_over: false })
  for (const one of SANDBOX_ACTS) {
    signal?.throwIfAborted()
    await haveAct(one, subjects[one.on], committee, { home, warehouse })
  }
  await writeStory(home, { subjects, is_over: true })
}

async function haveAct(
  act: SandboxAct,
  subject_id: string,
  { signers }: Committee,
  { home, warehouse }: CommitteePorts,
): Promise<void> {
  const { current, history, acts } = await show(act, subject_id, warehouse)
  if (acts.some((done) => done.act === act.act && done.actor_id === sandboxActor(act.by))) return
  const roster = await actingRoster(warehouse, home, null)
  const ports = { warehouse, roster, signer: signers[act.by], at: null, facts: scoringOfHome(home).facts }
  await act.perform(ports, { current, heads: headsOf(history), home })
}

async function show({ on, assessment_type }: SandboxAct, id: string, warehouse: Warehouse) {
  const as_of = null
  if (on === 'worst_event' || on === 'other_event') {
    const { history, acts } = await showSeverity({ event_id: id, assessment_type, as_of, warehouse })
    // A forecast refers to the observed assessment.
    const { assessment } = await showSeverity({ event_id: id, assessment_type: 'observed', as_of, warehouse })
    return { current: assessment, history, acts }
  }
  const { rating, history, acts } = await showRating({ market_id: id, as_of, warehouse })
  return { current: rating as unknown as Row, history, acts }
}

function headsOf(history: readonly Row[]): readonly Row[] {
  const heads = new Map<string, Row>()
  for (const row of history) {
    const known = heads.get(String(row.chain_id))
    if (known === undefined || (known.revision as number) < (row.revision as number))
      heads.set(String(row.chain_id), row)
  }
  return [...heads.values()]
}

/**
 * Chooses four rated markets, best first, an event that waits for approval of a higher level, and the event with the lowest level.
 * @returns null if the world lacks one of them
 */
async function chooseSubjects(warehouse: Warehouse): Promise<Subjects | null> {
  const rated = (await listRatings({ as_of: null, warehouse })).filter(({ band }) => band !== 'NR')
  const [reviewed, overridden, disputed, proposed] = rated.map(({ market_id }) => String(market_id))
  const waiting = await listWaiting(SEVERITY_SUBJECT, { as_of: null, warehouse })
  const worst_event = waiting.find(({ previous_level }) => (previous_level ?? 'UNKNOWN') !== 'UNKNOWN')?.event_id
  const assessed = await listSeverity({ as_of: null, warehouse, assessment_type: 'observed' })
  const known = assessed.filter(({ level, event_id }) => level !== 'UNKNOWN' && event_id !== worst_event)
  const other_event = known.at(-1)?.event_id
  if (proposed === undefined || worst_event === undefined || other_event === undefined) return null
  return { reviewed, overridden, disputed, proposed, worst_event, other_event } as Subjects
}

type Subjects = Readonly<Record<SandboxSubject, string>>

/** Chosen subjects and progress, in `live/committee.json` of the home. */
type Story = { readonly subjects: Subjects; readonly is_over: boolean }

async function readStory(home: string): Promise<Story | null> {
  const text = await readFile(storyFile(home), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (JSON.parse(text) as Story)
}

async function writeStory(home: string, story: Story): Promise<void> {
  const file = storyFile(home)
  await mkdir(liveFolder(home), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(story, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

function storyFile(home: string): string {
  return join(liveFolder(home), 'committee.json')
}
