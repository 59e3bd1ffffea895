import type { AdjustFill, OperatorCommand } from '../../../trading/engine/submission.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { pick } from '../random.ts'
import { bustCommand } from './bust-command.ts'
import { ACCOUNTS } from './random-submissions.ts'
import { concluding, submitting } from './settling.ts'

type Settlement = { readonly settlement_id: string; readonly state: string; readonly attempt_count: number }

/**
 * One act of an operator or of the settlement workflow, taken at random from what is there: attempts that begin, end and fail,
 * reversals, adjustments, marks, blocked accounts. null: there is nothing to act on.
 */
export async function randomSettling(pool: Pool, random: () => number, name: string): Promise<OperatorCommand | null> {
  // Half of what happens, happens to one account.
  const { rows } = await pool.query<Settlement>(
    'SELECT settlement_id, state, attempt_count FROM trading.settlement WHERE $1 OR account_id = $2 ORDER BY created_at, settlement_id',
    [random() < 0.5, ACCOUNTS[0]],
  )
  const in_state = (...states: string[]) => rows.filter(({ state }) => states.includes(state))
  const chance = random()
  if (chance < 0.35) return some(in_state('pending', 'failed'), random, (one) => begin(one))
  if (chance < 0.65) return some(in_state('submitted'), random, (one) => end(one, random))
  if (chance < 0.75) return some(in_state('confirmed'), random, (one) => reverse(one, name))
  if (chance < 0.88) return adjust(pool, random, name)
  if (chance < 0.95) {
    const mark = `0.${40 + Math.floor(random() * 20)}`
    const outcome = { market_id: 'mkt_1', outcome_id: 'out_yes', mark, mark_observation_id: `obs_${name}` }
    return { kind: 'set_marks', marks: [outcome] }
  }
  return { kind: 'block_account', account_id: pick(['acct_a', 'acct_c'], random), blocked: random() < 0.3 }
}

function some<R>(rows: readonly Settlement[], random: () => number, make: (row: Settlement) => R): R | null {
  return rows.length === 0 ? null : make(pick(rows, random))
}

function begin({ settlement_id, attempt_count }: Settlement): OperatorCommand {
  return submitting([settlement_id], attempt_count + 1)
}

function end({ settlement_id, attempt_count }: Settlement, random: () => number): OperatorCommand {
  return concluding([settlement_id], random() < 0.6 ? 'confirmed' : 'failed', attempt_count)
}

function reverse({ settlement_id }: Settlement, name: string): OperatorCommand {
  return {
    kind: 'reverse_settlement',
    reversal_id: `rev_${name}`,
    settlement_id,
    reason_code: 'RAIL_RETURNED',
    rationale: 'the rail took it back',
    evidence: ['case-1'],
    approved_by: 'second',
  }
}

async function adjust(pool: Pool, random: () => number, name: string): Promise<OperatorCommand | null> {
  const { rows } = await pool.query<{ fill_id: string }>(
    'SELECT fill_id FROM trading.fill WHERE $1 OR account_id = $2 ORDER BY engine_sequence',
    [random() < 0.5, ACCOUNTS[0]],
  )
  if (rows.length === 0) return null
  const { fill_id } = pick(rows, random)
  const undone = bust(fill_id, `adj_${name}`)
  return random() < 0.5 ? undone : { ...undone, adjustment_type: 'amend', notional_delta: '-0.01' }
}

/** Undoes a fill, with evidence. */
export function bust(fill_id: string, adjustment_id: string): AdjustFill {
  return { ...bustCommand(fill_id, adjustment_id), reason_code: 'OBVIOUS_ERROR', evidence: ['case-2'] }
}
