import { canonicalJson } from '../../primitives/canonical-json.ts'
import { checkpointKey, loadLastCheckpoint } from './checkpoint.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'
import type { Report } from './log-violation.ts'

/** Check of the last checkpoint, driven while the commits are read. */
export type CheckpointCheck = {
  /** Compares the checkpoint once `state` has reached its version. */
  at(state: LogState): void
  /** Reports a checkpoint that is damaged or beyond the last commit. */
  end(): void
}

/** Loads the last checkpoint of a table for comparison with the commits it replaces. */
export async function checkpointCheck(context: LogContext, report: Report): Promise<CheckpointCheck> {
  const loaded = new LogState(context.table)
  const { version, damage } = await loadLastCheckpoint(context, loaded)
  const key = version < 0 ? `${context.table}/_delta_log/_last_checkpoint` : checkpointKey(context.table, version)
  let reached = false
  return {
    at(state) {
      if (state.version !== version || damage !== null) return
      reached = true
      if (canonicalJson(stateContents(loaded)) === canonicalJson(stateContents(state))) return
      report(version, key, 'CHECKPOINT_DIFFERS', 'its state differs from the state of the commits')
    },
    end() {
      if (damage !== null) report(version, key, 'CHECKPOINT_DAMAGED', damage)
      else if (version >= 0 && !reached) report(version, key, 'CHECKPOINT_DIFFERS', 'its version has no commit')
    },
  }
}

/** Contents of a state that readers use; without removed files, because a checkpoint drops old ones. */
export function stateContents(state: LogState): object {
  const entries = <T>(map: ReadonlyMap<string, T>) => Object.fromEntries(map)
  return { clock: state.clock, meta: state.meta, adds: entries(state.adds), transactions: entries(state.transactions) }
}
