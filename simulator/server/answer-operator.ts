import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { isServiceError } from '../../primitives/errors.ts'
import { isRebound, reboundAnswer } from '../../primitives/loopback.ts'
import { parseFaultRule, type RuledFaults } from './fault-rules.ts'

/** Path of the simulator itself, which no venue has. */
export const OPERATOR_PATH = '/-/faults'

/**
 * Answers `GET`: the rules in force and how often each hit; `PUT`: replaces them by those of the body, separated by white space, none
 * in an empty body. A wrong rule changes nothing.
 */
export async function answerOperator(
  rules: RuledFaults,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, value: unknown) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`)
  if (isRebound(request)) {
    const { status, error } = reboundAnswer(request.headers.host)
    return answer(status, { error })
  }
  if (request.method === 'PUT') {
    const texts = (await text(request)).split(/\s+/).filter((part) => part !== '')
    try {
      rules.replace(texts.map(parseFaultRule))
    } catch (error) {
      if (!isServiceError(error)) throw error
      return answer(400, { error: error.message })
    }
  } else if (request.method !== 'GET') return answer(405, { error: `method is ${request.method}; allowed: GET, PUT` })
  answer(200, { faults: rules.counts() })
}
