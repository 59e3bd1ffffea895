import { ERROR_CODES } from '../primitives/error-codes.ts'
import { isServiceError } from '../primitives/errors.ts'
import { isDatabaseLost } from '../trading/store/database-failure.ts'
import { writeError } from '../warehouse/store/store-error.ts'
import type { Output } from './output.ts'

/** Exit codes of the command line: 0 done, 1 the answer is "no", 2 usage or input, 3 not found, 4 a service is unavailable. */
export const EXIT = { done: 0, no: 1, usage: 2, not_found: 3, unavailable: 4 } as const

/** Failure as it is reported to the caller. */
export type Failure = {
  readonly exit_code: number
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean }
  /** Usage line of the command if it was used wrongly. */
  readonly usage: string | null
}

/** Describes an error; anything but a ServiceError, a disk that cannot be written and a lost database is an internal error, without its stack. */
export function describeFailure(thrown: unknown): Failure {
  const error = writeError(thrown)
  if (isServiceError(error)) {
    const { code, facts, exit_code } = error
    const message = oneSentence(error.message)
    return { exit_code, error: { code, message, retryable: ERROR_CODES[code].retryable }, usage: facts.usage ?? null }
  }
  const reason = error instanceof Error ? error.message : String(error)
  const [code, what] = isDatabaseLost(error)
    ? (['SERVICE_UNAVAILABLE', 'the trading database does not answer'] as const)
    : (['INTERNAL_ERROR', 'internal error'] as const)
  const { exit_code, retryable } = ERROR_CODES[code]
  return { exit_code, error: { code, message: oneSentence(`${what}: ${reason}`), retryable }, usage: null }
}

/**
 * Logs a failure that is retried and may repeat.
 * @param part what failed; an internal error does not say it itself
 */
export function reportRetry(output: Pick<Output, 'problem'>, part: string, error: unknown): void {
  const { code, message } = describeFailure(error).error
  output.problem(`${code === 'INTERNAL_ERROR' ? `${part}: ` : ''}${message}; retrying`, { code })
}

/** Prints a failure, with `debug` also its stack, and returns the exit code. */
export async function reportFailure(error: unknown, output: Output, debug: boolean): Promise<number> {
  const failure = describeFailure(error)
  const { message, code } = failure.error
  const stack = debug && error instanceof Error ? stackOf(error) : undefined
  const [head = message, ...mistakes] = listedMistakes(error) ?? [message]
  output.log('error', head, { code, usage: failure.usage ?? undefined, stack })
  for (const mistake of mistakes) output.log('error', mistake)
  // One line, so it can also end a stream of NDJSON.
  if (output.json) await output.record({ error: failure.error })
  return failure.exit_code
}

/** Returns the lines of an error that lists the mistakes of a file; null: it is another one. */
function listedMistakes(error: unknown): readonly string[] | null {
  if (!isServiceError(error) || error.facts.mistakes === undefined) return null
  const [head = '', ...mistakes] = error.message.split('\n').map((line) => line.trim())
  // The code follows the first line, so a colon would end in the middle of it.
  return [head.replace(/:$/, ''), ...mistakes]
}

function oneSentence(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

/** Returns the stack of an error with those of its causes. */
export function stackOf(error: Error): string {
  const stack = error.stack ?? error.message
  return error.cause instanceof Error ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack
}
