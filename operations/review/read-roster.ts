import { join } from 'node:path'
import { type Member, parseRoster } from '../../pipelines/review/roster.ts'
import { readInput } from './read-input.ts'

/** Where the roster of a home lies. */
export function rosterFile(home: string): string {
  return join(home, 'roster.yaml')
}

/**
 * Who may act.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readRoster(file: string): Promise<readonly Member[]> {
  return parseRoster(await readInput(file), file)
}
