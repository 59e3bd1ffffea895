import { canonicalJson } from '../../primitives/canonical-json.ts'
import { checkpointKey, loadLastCheckpoint } from './checkpoint.ts'
import type { LogContext } from './log-context.ts'
import { LogState } from './log-state.ts'
import type { Report } from './log-violation.ts'

/** What is to be told of the last checkpoint while the commits are gone through. */
export type CheckpointCheck = {
  /** Compares it when `state` has just reached its version. */
  at(state: LogState): void
  /** Reports that it is damaged, or lies beyond the last commit. */
  end(): void
}

/** Loads the last checkpoint of a table, to be checked against the commits that it stands for. */
export async function checkpointCheck(context: LogContext, report: Report): Promise<CheckpointCheck> {
  const loaded = new LogState(context.table)
  const { version, damage } = await loadLastCheckpoint(context, loaded)
  const key = version < 0 ? `${context.table}/_delta_log/_last_checkpoint` : checkpointKey(context.table, version)
  let reached = false
  return {
    at(state) {
      if (state.version !== version || damage !== null) return
      reached = true
      if (canonicalJson(contents(loaded)) === canonicalJson(contents(state))) return
      report(version, key, 'CHECKPOINT_DIFFERS', 'a start from it does not give what the commits give')
    },
    end() {
      if (damage !== null) report(version, key, 'CHECKPOINT_DAMAGED', damage)
      else if (version >= 0 && !reached) report(version, key, 'CHECKPOINT_DIFFERS', 'there is no commit of its version')
    },
  }
}

/** What a reader takes from a state; removed files are left out, because a checkpoint forgets old ones. */
function contents(state: LogState): object {
  const entries = <T>(map: ReadonlyMap<string, T>) => Object.fromEntries(map)
  return { clock: state.clock, meta: state.meta, adds: entries(state.adds), transactions: entries(state.transactions) }
}
