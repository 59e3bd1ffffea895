import { ERROR_CODES, isServiceError } from '../primitives/errors.ts'
import type { Output } from './output.ts'

/** Exit codes of the command line: 0 done, 1 the answer is "no", 2 usage or input, 3 not found, 4 a service is unavailable. */
export const EXIT = { done: 0, no: 1, usage: 2, not_found: 3, unavailable: 4 } as const

/** What the caller is told about a failure. */
export type Failure = {
  readonly exit_code: number
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean }
  /** The usage line of the command, for wrong usage. */
  readonly usage: string | null
}

/** An error of ours as it is; anything else is an internal error whose stack stays out of sight. */
export function describeFailure(error: unknown): Failure {
  if (isServiceError(error)) {
    const { code, facts, exit_code } = error
    const message = oneSentence(error.message)
    return { exit_code, error: { code, message, retryable: ERROR_CODES[code].retryable }, usage: facts.usage ?? null }
  }
  const reason = error instanceof Error ? error.message : String(error)
  const { exit_code, retryable } = ERROR_CODES.INTERNAL_ERROR
  const message = oneSentence(`internal error: ${reason}`)
  return { exit_code, error: { code: 'INTERNAL_ERROR', message, retryable }, usage: null }
}

/** Prints a failure (and the stack where `debug` asks for it) and gives the exit code. */
export async function reportFailure(error: unknown, output: Output, debug: boolean): Promise<number> {
  const failure = describeFailure(error)
  output.note(`error: ${failure.error.message} (${failure.error.code})`)
  if (failure.usage !== null) output.note(`usage: ${failure.usage}`)
  if (debug && error instanceof Error) output.note(stackOf(error))
  // One line, so that it also ends a stream of NDJSON.
  if (output.json) await output.record({ error: failure.error })
  return failure.exit_code
}

function oneSentence(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack
}
