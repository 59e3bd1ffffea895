import type { Micros } from '../../primitives/instants.ts'
import { nextDue } from '../engine/advance-clock.ts'
import { applySubmission } from '../engine/apply-submission.ts'
import { type Changes, noChanges } from '../engine/changes.ts'
import type { Facts } from '../engine/facts.ts'
import { finishBatch } from '../engine/finish-batch.ts'
import { type Needs, needsOf } from '../engine/needs-of.ts'
import { type Rebuild, rebuildState } from '../engine/rebuild-state.ts'
import type { EngineState } from '../engine/state.ts'
import type { Answer, Submission } from '../engine/submission.ts'
import { changedRows } from '../projections/changed-rows.ts'
import type { ChangedRows, StateRows } from '../projections/rows.ts'

/** Pure half of the engine, as its shell calls it; tests plant faults here. */
export type EngineCore = {
  readonly rebuild: (rows: StateRows) => Rebuild
  readonly needsOf: (...submissions: readonly Submission[]) => Needs
  readonly noChanges: () => Changes
  readonly apply: (state: EngineState, submission: Submission, facts: Facts, now: Micros, changes: Changes) => Answer
  /** Ends the batch and returns its rows. */
  readonly finish: (state: EngineState, now: Micros, changes: Changes) => ChangedRows
  readonly nextDue: (state: EngineState) => Micros | null
}

/** The core used in production. */
export const ENGINE_CORE: EngineCore = {
  rebuild: rebuildState,
  needsOf,
  noChanges,
  apply: applySubmission,
  finish: (state, now, changes) => {
    finishBatch(state, now, changes)
    return changedRows(state, changes)
  },
  nextDue,
}
