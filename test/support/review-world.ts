import { generateKeyPairSync } from 'node:crypto'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { parseSigner, type Signer } from '../../operations/review/signing.ts'
import { rawHex } from '../../pipelines/governance/public-key.ts'
import type { Member, Roster } from '../../pipelines/governance/roster.ts'
import { modelRating } from '../../pipelines/rating/rating-record.ts'
import type { ReviewSubject } from '../../pipelines/review/subject.ts'
import { observedAssessment } from '../../pipelines/severity/severity-record.ts'
import type { HazardRecord } from '../../pipelines/venues/record.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'
import type { Band } from '../../vocabulary/rating.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { hazardRow } from './hazard-world.ts'

/** A person with a key of their own. */
export type Person = {
  readonly member: Member
  readonly public_key: string
  readonly signer: Signer
  readonly pem: string
}

/** Makes a person, valid from 2000 on. */
export function person(actor_id: string, ...roles: RosterRole[]): Person {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const public_key = rawHex(publicKey)
  const valid_from = toMicros('2000-01-01T00:00:00Z')
  const keys = [{ public_key, valid_from, valid_to: null, revoked_at: null }]
  const member: Member = { actor_id, name: actor_id, roles, keys }
  return { member, public_key, signer: parseSigner(pem, actor_id), pem }
}

/** The roster file of these people. */
export function rosterText(people: readonly Person[]): string {
  const lines = people.map(
    ({ member, public_key }) =>
      `  - { actor_id: ${member.actor_id}, name: ${member.name}, roles: [${member.roles.join(', ')}], public_key: "${public_key}", valid_from: 2000-01-01T00:00:00Z, valid_to: null }`,
  )
  return `members:\n${lines.join('\n')}\n`
}

/** Roster of these people, which does not expire. */
export function rosterOfPeople(people: readonly Person[]): Roster {
  return { members: people.map(({ member }) => member), expires_at: null }
}

/** Ports of one act by one person at a recorded instant; null: now. */
export function portsOf(
  warehouse: Warehouse,
  people: readonly Person[],
  by: Person,
  at: Micros | null = null,
): ReviewPorts {
  return { warehouse, roster: rosterOfPeople(people), signer: by.signer, at }
}

/** A rating by the program, with a band that the test wants. */
export function modelRow(market_id: string, band: Band, cutoff: Micros): Row & { readonly rating_id: string } {
  const none = {
    resolution_clarity: null,
    source_reliability: null,
    liquidity: null,
    manipulation_resistance: null,
    data_quality: null,
    venue_operational_risk: null,
  }
  const past = { band: null, day_before: null, score_30d: null, previous_band: null, previous_score: null }
  const rated = modelRating({ market_id, components: none, evidence: [], past, cutoff })
  return { ...rated, band, day_band: band, reason_codes: [] } as unknown as Row & { readonly rating_id: string }
}

/** An observed assessment by the program, with a level that the test wants. */
export function assessedRow(event_id: string, level: string, cutoff: Micros): Row & { readonly assessment_id: string } {
  const alert = {
    ...hazardRow(event_id, cutoff),
    started_at: cutoff,
    ended_at: null,
    is_current: null,
    received_at: cutoff,
  }
  const unsaid = { population_value: null, population_unit: null, severity_value: null, severity_unit: null }
  const record = {
    ...alert,
    ...unsaid,
    alert_score: null,
    episode_alert_level: null,
    source_url: null,
  } as unknown as HazardRecord
  const assessed = observedAssessment({ event_id, alert: record, last: null, cutoff })
  return { ...assessed, level, reason_codes: [] } as unknown as Row & { readonly assessment_id: string }
}

let steps = 0

/** Publishes ratings at a recorded instant. */
export function publishRatings(warehouse: Warehouse, rows: readonly Row[], at: Micros): Promise<void> {
  return publishRecords(warehouse, 'market_rating', rows, at)
}

/** Publishes records at a recorded instant. */
export async function publishRecords(
  warehouse: Warehouse,
  table: ReviewSubject['table'],
  rows: readonly Row[],
  at: Micros,
): Promise<void> {
  steps += 1
  const stamp = { kind: 'recorded', at } as const
  await warehouse.append(table, rows, { app_id: `test ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}
