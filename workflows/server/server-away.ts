import { ServiceError } from '../../primitives/errors.ts'
import { HOW_TO_SERVE } from './await-serving.ts'
import type { ServerAddress } from './server-file.ts'

/** Texts by which the two clients of Temporal, of JavaScript and of Rust, say that nobody answers. */
const AWAY =
  /transport error|connect error|connection refused|Timeout expired|No connection established|ECONN(REFUSED|RESET)|Connection dropped/i

/** Returns whether the text of a failed call says that no server answers. */
export function saysAway(text: string): boolean {
  return AWAY.test(text)
}

/** Makes the error of a server that does not answer: one sentence, whichever call noticed it. */
export function serverAway({ address }: ServerAddress, cause?: unknown): ServiceError {
  const text = `Temporal does not answer at ${address}; ${HOW_TO_SERVE}`
  return new ServiceError('SERVICE_UNAVAILABLE', text, { address }, cause)
}

const STATUS = /\bStatus \{ code: (\w+), message: "((?:[^"\\]|\\.)*)".*$/s

/** Returns a text of the Rust client with the server's reason in place of the structure that holds it. */
export function withoutStatus(text: string): string {
  return text.replace(STATUS, (_, code: string, message: string) => `${message || 'no reason given'} (${code})`)
}
