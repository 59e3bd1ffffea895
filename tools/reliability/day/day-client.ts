import { setTimeout as sleep } from 'node:timers/promises'
import { isServiceError } from '../../../primitives/errors.ts'
import type { Answer, OperatorCommand, Submission } from '../../../trading/engine/submission.ts'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'

const AGAIN_MS = 100
/** Longer than any restart of a day. */
const PATIENCE_MS = 120_000

/** Whoever trades and operates on the day: asks again until there is an answer, as clients are told to. */
export class DayClient implements EngineClient {
  readonly #client: EngineClient
  #unknown = 0

  constructor(pool: Pool) {
    this.#client = connectEngine({ pool, answer_ms: 4_000 })
  }

  /** Answers that were lost. */
  get unknown(): number {
    return this.#unknown
  }

  async submit(submission: Submission): Promise<Answer> {
    const until = performance.now() + PATIENCE_MS
    for (let again = 0; ; again += 1) {
      try {
        return await this.#client.submit(again === 0 ? submission : withNonce(submission, again))
      } catch (error) {
        const lost = isServiceError(error, 'OUTCOME_UNKNOWN')
        if (!lost && !isServiceError(error, 'SERVICE_UNAVAILABLE')) throw error
        if (performance.now() > until) throw error
        if (lost) this.#unknown += 1
        await sleep(AGAIN_MS)
      }
    }
  }

  /** An act of an operator under an id of its own. @returns the refusal, null where it was done */
  async operate(act_id: string, actor: string, command: OperatorCommand): Promise<Answer['error']> {
    return (await this.submit({ kind: 'operate', act_id, actor, reason: 'the day', command })).error
  }

  status() {
    return this.#client.status()
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

/** A request that is sent again has a nonce of its own, and the same Idempotency-Key. */
function withNonce(submission: Submission, again: number): Submission {
  if (!('identity' in submission)) return submission
  const { identity } = submission
  return { ...submission, identity: { ...identity, nonce: `${identity.nonce}_again_${again}` } }
}
