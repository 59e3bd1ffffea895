import { join } from 'node:path'
import { type Member, parseRoster } from '../../pipelines/review/roster.ts'
import { readInput } from './read-input.ts'

/** Returns the roster file of a home. */
export function rosterFile(home: string): string {
  return join(home, 'roster.yaml')
}

/**
 * Reads the members who may act.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readRoster(file: string): Promise<readonly Member[]> {
  return parseRoster(await readInput(file), file)
}
