import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Roster } from '../../pipelines/governance/roster.ts'
import { parseRoster, type RosterForm } from '../../pipelines/governance/roster-form.ts'
import { notAllowed } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { governedRoster, readGovernance } from '../governance/read-governance.ts'
import { readInput } from './read-input.ts'

/** Returns the roster file of a home. */
export function rosterFile(home: string): string {
  return join(home, 'roster.yaml')
}

/**
 * Reads a roster file.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function readRoster(file: string): Promise<RosterForm> {
  return parseRoster(await readInput(file), file)
}

/**
 * Returns the people who may act now: the roster in force, which the warehouse records; in an ungoverned home the roster file.
 * @param named file that a user named; null: that of the home
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a file beside a roster in force; as readRoster
 */
export async function actingRoster(warehouse: Warehouse, home: string, named: string | null): Promise<Roster> {
  const governed = governedRoster(await readGovernance(warehouse))
  if (governed === null) return readRoster(named ?? rosterFile(home))
  if (named === null) return governed
  throw notAllowed('VALIDATION_USAGE_INVALID', 'roster', named, 'none, because a signed roster is in force here')
}

/** Returns the roster by which acts of an instant are judged; null: there is none here, so keys are not asked about. */
export type RosterAt = (at: Micros) => Roster | null

/** Reads every roster that was in force, and the roster file for the acts before. @param named as in `actingRoster` */
export async function rosterHistory(warehouse: Warehouse, home: string, named: string | null): Promise<RosterAt> {
  const governance = await readGovernance(warehouse)
  const file = named ?? rosterFile(home)
  const before = named !== null || existsSync(file) ? await readRoster(file) : null
  return (at) => governedRoster(governance, at) ?? before
}
