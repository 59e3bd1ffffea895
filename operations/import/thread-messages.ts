import { on } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ERROR_CODES, type ErrorCode } from '../../primitives/error-codes.ts'
import { InvariantError, ServiceError } from '../../primitives/errors.ts'

/** An error on its way between threads. */
export type Failure = {
  readonly message: string
  readonly code: ErrorCode | null
  readonly facts: Readonly<Record<string, string>>
}

/** An error as it goes from thread to thread, where only its text would arrive. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return { message: error.message, code: error.code, facts: error.facts }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: null, facts: {} }
}

function errorOf({ message, code, facts }: Failure): Error {
  return code !== null && code in ERROR_CODES ? new ServiceError(code, message, facts) : new InvariantError(message)
}

/** Yields a thread's messages up to and including `done`. @throws the thread's failure, or the reason of the signal */
export async function* messagesOf<Message extends object>(
  worker: Worker,
  signal: AbortSignal | undefined,
): AsyncGenerator<Exclude<Message, { readonly failed: Failure }>> {
  const messages = on(worker, 'message', { close: ['exit'] }) as AsyncIterableIterator<[Message]>
  for await (const [message] of messages) {
    if ('failed' in message) {
      signal?.throwIfAborted()
      throw errorOf(message.failed as Failure)
    }
    yield message as Exclude<Message, { readonly failed: Failure }>
    if ('done' in message) return
  }
  throw new InvariantError('a thread of the import ended before it was done')
}
