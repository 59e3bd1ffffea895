import { ApiError } from '../data/api-error.ts'
import { CannotCheck, ProofFault } from './proof-fault.ts'

/** One thing that was checked, in a sentence. */
export type Check = {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly detail: string
}

/**
 * Result of a verification.
 *   verified  every check passed
 *   failed    a check failed: the record or the log is not what it was, or not what it claims to be
 *   waiting   the log does not cover the record yet
 *   unable    nothing is known: the service does not answer, or the browser cannot check
 */
export type Verdict = {
  readonly state: 'verified' | 'failed' | 'waiting' | 'unable'
  readonly checks: readonly Check[]
  readonly meaning: string
  /** Time after which a waiting verification may be asked for again. */
  readonly retry_after_ms: number | null
}

/** Result of a check that passed: a sentence, and what the next checks need of it. */
export type Shown<T> = { readonly detail: string; readonly value: T; readonly is_skipped?: boolean }

/** Runs one check after the other. The first fault ends the verification. */
export type CheckStep = <T>(name: string, check: () => Promise<Shown<T>>) => Promise<T>

/**
 * Runs the checks of a verification and returns what they showed.
 * @param run      runs the checks, and returns what it means that all passed
 * @param failure  what it means that one failed
 */
export async function verdictOf(run: (step: CheckStep) => Promise<string>, failure: string): Promise<Verdict> {
  const checks: Check[] = []
  const end = (state: Verdict['state'], meaning: string, retry_after_ms: number | null = null): Verdict => {
    return { state, checks, meaning, retry_after_ms }
  }
  const step: CheckStep = async (name, check) => {
    try {
      const { detail, value, is_skipped = false } = await check()
      checks.push({ name, outcome: is_skipped ? 'skipped' : 'passed', detail })
      return value
    } catch (error) {
      if (error instanceof ProofFault) checks.push({ name, outcome: 'failed', detail: error.message })
      throw error
    }
  }
  try {
    return end('verified', await run(step))
  } catch (error) {
    if (error instanceof ProofFault) return end('failed', failure)
    if (error instanceof CannotCheck) return end('unable', error.message)
    if (!(error instanceof ApiError)) return end('unable', `The page could not check this: ${String(error)}`)
    if (error.code === 'PROOF_PENDING') return end('waiting', PENDING, error.retry_after_ms)
    return end('unable', `${error.message} (${error.code})`, error.retry_after_ms)
  }
}

const PENDING = 'The log does not have this record yet. A checkpoint is signed about once a minute; ask again then.'
