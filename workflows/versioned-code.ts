import { setWorkflowOptions } from '@temporalio/workflow'
import * as workflows from './workflow-code.ts'

/** Entry of the bundle of versioned workers. The server refuses a behavior from workers without a version, so theirs states none. */
export * from './workflow-code.ts'

type Workflows = typeof workflows
/** PINNED: a run ends with the build that began it. AUTO_UPGRADE: its next step is the current build's, as without versions. */
type Behavior<W extends keyof Workflows> =
  Awaited<ReturnType<Workflows[W]>> extends never
    ? 'AUTO_UPGRADE' // A pinned run that never ends would hold its build for ever.
    : 'PINNED' | 'AUTO_UPGRADE'

const BEHAVIORS: { readonly [W in keyof Workflows]: Behavior<W> } = {
  assess: 'PINNED',
  backfill: 'PINNED',
  backfillPart: 'PINNED',
  compact: 'PINNED',
  correct: 'PINNED',
  digests: 'PINNED',
  expire: 'PINNED',
  followOwnVenue: 'AUTO_UPGRADE',
  followSettlement: 'AUTO_UPGRADE',
  govern: 'PINNED',
  ingestVenue: 'AUTO_UPGRADE',
  listMarkets: 'PINNED',
  publishTick: 'PINNED',
  rate: 'PINNED',
  replayMethodology: 'PINNED',
  resolveMarket: 'AUTO_UPGRADE', // waits for people, for days
  review: 'AUTO_UPGRADE', // lasts as long as an override, for months
  seal: 'PINNED',
  settleAsset: 'AUTO_UPGRADE',
  settleBatch: 'PINNED',
  startScheduled: 'AUTO_UPGRADE', // lasts as long as an endless child
  tellMarks: 'PINNED',
  vacuum: 'PINNED',
}

for (const [name, workflow] of Object.entries(workflows)) {
  const versioningBehavior = BEHAVIORS[name as keyof Workflows]
  setWorkflowOptions({ versioningBehavior }, workflow as (...args: never[]) => Promise<unknown>)
}
