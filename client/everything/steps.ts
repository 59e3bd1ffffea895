import { faultOf } from './answer-errors.ts'
import type { Findings } from './report.ts'

export type StepOptions = {
  readonly signal?: AbortSignal
  /** Called as a step begins, with what is checked: `the log`, `index idx_... (1 of 4)`. */
  readonly on_step?: (step: string) => void
}

/** Makes a step; one that fails is a finding, and the others go on with what it would have found instead. */
export type Step = <T>(name: string, work: () => Promise<T>, otherwise: () => T) => Promise<T>

/** Creates the steps of a check. */
export function createSteps(findings: Findings, { on_step, signal }: StepOptions): Step {
  return async (name, work, otherwise) => {
    signal?.throwIfAborted()
    on_step?.(name)
    findings.count('steps')
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      findings.fail('steps', name, `it was not made to its end: ${faultOf(error)}`)
      return otherwise()
    }
  }
}

/** Result of a step that only makes findings. */
export const nothing = () => undefined
