import { ApplicationFailure } from '@temporalio/common'
import type { ActivityInboundCallsInterceptor, WorkerInterceptors } from '@temporalio/worker'
import { seededRandom } from '../../support/random.ts'

/** Activity executions of a worker, and those that were made to fail. */
export type Executions = { all: number; failed: number }

/**
 * Activities fail with a probability: half of these before they begin, half when their work is done and nobody learns of it.
 * @param ratio in [0, 1)
 * @param on_execution told of each when it begins, and whether it is made to fail
 */
export function flaky(
  ratio: number,
  seed: number,
  on_execution: (failed: boolean) => void = () => undefined,
): { interceptors: WorkerInterceptors; executions: Executions } {
  const random = seededRandom(seed)
  const executions = { all: 0, failed: 0 }
  const fail = (when: string): never => {
    executions.failed += 1
    throw ApplicationFailure.retryable(`injected ${when} the work`, 'SERVICE_UNAVAILABLE')
  }
  const inbound: ActivityInboundCallsInterceptor = {
    async execute(input, next) {
      executions.all += 1
      const dice = random()
      on_execution(dice < ratio)
      if (dice < ratio / 2) fail('before')
      const result = await next(input)
      if (dice < ratio) fail('after')
      return result
    },
  }
  return { interceptors: { activity: [() => ({ inbound })] }, executions }
}
