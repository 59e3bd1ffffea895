import { refuse } from '../market/refuse.ts'
import { floorAtScale } from '../order/written-decimal.ts'
import type { SetMark } from './commands.ts'
import type { Execution } from './execution.ts'
import type { SetMarks } from './settlement-commands.ts'
import { MARK_SCALE } from './state.ts'

type Mark = SetMarks['marks'][number]

/** Sets a reference price, for price bands and P&L, as an operator gives it. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function setMark(execution: Execution, { market_id, outcome_id, mark }: SetMark): void {
  setMarks(execution, { kind: 'set_marks', marks: [{ market_id, outcome_id, mark, mark_observation_id: null }] })
}

/**
 * Sets reference prices with the published records they come from. An unchanged one records nothing.
 * @returns how many have changed
 */
export function setMarks(execution: Execution, { marks }: SetMarks): number {
  const outcomes = marks.map((mark) => outcomeOf(execution, mark))
  let changed = 0
  for (const [place, { mark: text, mark_observation_id }] of marks.entries()) {
    const outcome = outcomes[place]!
    const mark = text === null ? null : floorAtScale(text, MARK_SCALE)
    if (outcome.mark === mark && outcome.mark_observation_id === mark_observation_id) continue
    outcome.mark = mark
    outcome.mark_observation_id = mark_observation_id
    execution.changes.marked.add(outcome)
    changed += 1
  }
  return changed
}

function outcomeOf({ state }: Execution, { market_id, outcome_id }: Mark) {
  return (
    state.markets.get(market_id)?.outcomes.get(outcome_id) ??
    refuse('outcome_id', outcome_id, `an outcome of market ${market_id}`)
  )
}
