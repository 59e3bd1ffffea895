import { type JsonAnswer, malformedError, undescribed } from '../../../test/support/described-answers.ts'
import type { FuzzRequest } from './make-request.ts'

/** An answer as it came. */
export type FuzzAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Returns what no input may bring about: a server error, or an answer that is not described. */
export function answerFaults(request: FuzzRequest, { status, headers, text }: FuzzAnswer): string[] {
  if (status >= 500) return [`server error ${status}: ${text.slice(0, 1000)}`]
  if (request.method === 'HEAD' || text === '' || status === 304) return []
  if (!String(headers['content-type']).startsWith('application/json')) return []
  const answer: JsonAnswer = { status, headers, body: parsed(text) }
  if (answer.body === undefined) return [`no JSON in ${text.slice(0, 200)}`]
  if (request.operation_id !== null) return undescribed(request.operation_id, answer)
  return answer.body.error === undefined ? [] : malformedError(answer)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
