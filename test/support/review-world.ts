import { generateKeyPairSync } from 'node:crypto'
import type { ReviewPorts } from '../../operations/review/perform-act.ts'
import { parseSigner, type Signer } from '../../operations/review/signing.ts'
import type { Band } from '../../pipelines/rating/methodology.ts'
import { modelRating } from '../../pipelines/rating/rating-record.ts'
import { type Member, type Role, rawHex } from '../../pipelines/review/roster.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** A person with a key of their own. */
export type Person = { readonly member: Member; readonly signer: Signer; readonly pem: string }

/** Makes a person, valid from 2000 on. */
export function person(actor_id: string, ...roles: Role[]): Person {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const member: Member = {
    actor_id,
    name: actor_id,
    roles,
    public_key: rawHex(publicKey),
    valid_from: toMicros('2000-01-01T00:00:00Z'),
    valid_to: null,
  }
  return { member, signer: parseSigner(pem, actor_id), pem }
}

/** The roster file of these people. */
export function rosterText(people: readonly Person[]): string {
  const lines = people.map(
    ({ member }) =>
      `  - { actor_id: ${member.actor_id}, name: ${member.name}, roles: [${member.roles.join(', ')}], public_key: "${member.public_key}", valid_from: 2000-01-01T00:00:00Z, valid_to: null }`,
  )
  return `members:\n${lines.join('\n')}\n`
}

/** Ports of one act by one person at a recorded instant; null: now. */
export function portsOf(
  warehouse: Warehouse,
  people: readonly Person[],
  by: Person,
  at: Micros | null = null,
): ReviewPorts {
  return { warehouse, roster: people.map(({ member }) => member), signer: by.signer, at }
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

let steps = 0

/** Publishes ratings at a recorded instant. */
export async function publishRatings(warehouse: Warehouse, rows: readonly Row[], at: Micros): Promise<void> {
  steps += 1
  const stamp = { kind: 'recorded', at } as const
  await warehouse.append('market_rating', rows, { app_id: `test ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}
