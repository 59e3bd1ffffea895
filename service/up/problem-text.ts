import { describeFailure } from '../exit-codes.ts'

/** A failure that does not end the service, as its notes tell it. */
export function problemText(error: unknown): string {
  const { code, message } = describeFailure(error).error
  return `${message} (${code}); it is tried again`
}
