import { text } from 'node:stream/consumers'
import { ServiceError } from '../../primitives/errors.ts'
import type { InputStream } from '../command.ts'

/**
 * Returns the statement of a command: its argument, or standard input where that is `-` or left out. null: neither, on a terminal.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID if there is no statement
 */
export async function statementOf(
  argument: string | undefined,
  stdin: InputStream | undefined,
  usage: string,
): Promise<string | null> {
  if (argument !== undefined && argument !== '-') return argument
  if (argument === undefined && stdin?.isTTY === true) return null
  const statement = stdin === undefined ? '' : await text(stdin)
  if (statement.trim() !== '') return statement
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    'statement is missing; allowed: one SELECT statement, as an argument or on standard input',
    { usage },
  )
}
