import { evidenceFault } from '../../pipelines/evidence/check-evidence.ts'
import type { EvidenceItem } from '../../pipelines/evidence/evidence-item.ts'
import { memberOfKey } from '../../pipelines/governance/roster.ts'
import type { Actor } from '../../pipelines/review/acts.ts'
import { parseAct } from '../../pipelines/review/signed-act.ts'
import { type ReviewRow, type ReviewSubject, recordIdOf } from '../../pipelines/review/subject.ts'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { toMicros } from '../../primitives/instants.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { verifyModelRating } from '../rating/verify-model-rating.ts'
import { verifyModelAssessment } from '../severity/verify-model-assessment.ts'
import { checkAct } from './check-act.ts'
import { describeAct } from './describe-act.ts'
import { draftOfAct } from './draft-of-act.ts'
import { SERVICE } from './perform-act.ts'
import type { RosterAt } from './read-roster.ts'
import { withSession } from './review-session.ts'

/** Checks of a record; `violation` is the first that failed. */
export type Verification = {
  readonly record_id: string
  readonly ok: boolean
  readonly checks: readonly { readonly record_id: string; readonly check: string; readonly detail: string }[]
  readonly violation: { readonly record_id: string; readonly rule: string; readonly detail: string } | null
}

export type VerifyPorts = {
  readonly warehouse: Warehouse
  /** null: there is none here, so whose keys they are is not asked. */
  readonly roster: RosterAt | null
}

/** One rule that a record keeps: what was checked, or what is wrong. */
type Finding = { readonly detail: string } | { readonly fault: string; readonly rule?: string }

/**
 * Computes a record again from what is stored: each revision of its assessment up to it. The program's own from the figures of
 * its evidence or the alert; what a person's act made from the act, whose signature and text are checked, decided again from what
 * was published before it.
 * @throws {ServiceError} RATING_NOT_FOUND, ASSESSMENT_NOT_FOUND
 */
export async function verifyRecord(
  subject: ReviewSubject,
  record_id: string,
  ports: VerifyPorts,
): Promise<Verification> {
  const rows = await revisionsOf(subject, record_id, ports.warehouse)
  const checks: Verification['checks'][number][] = []
  for (const row of rows) {
    const on = recordIdOf(subject, row)
    for (const [rule, check] of CHECKS) {
      const found = await check(subject, row, ports)
      if ('fault' in found)
        return {
          record_id,
          ok: false,
          checks,
          violation: { record_id: on, rule: found.rule ?? rule, detail: found.fault },
        }
      checks.push({ record_id: on, check: rule, detail: found.detail })
    }
  }
  return { record_id, ok: true, checks, violation: null }
}

type Check = (subject: ReviewSubject, row: ReviewRow, ports: VerifyPorts) => Promise<Finding>

const CHECKS: readonly (readonly [string, Check])[] = [
  ['evidence', checkEvidence],
  [
    'origin',
    (subject, row, ports) => (row.act_id === null ? checkModel(subject, row, ports) : checkMade(subject, row, ports)),
  ],
]

async function checkEvidence(_subject: ReviewSubject, row: ReviewRow): Promise<Finding> {
  const evidence = row.evidence as unknown as readonly EvidenceItem[]
  const fault = evidenceFault(evidence)
  return fault === null ? { detail: `${evidence.length} items have the hash of their figures` } : { fault }
}

/** Verifies a record of the model, which has no act. */
async function checkModel(subject: ReviewSubject, row: ReviewRow, { warehouse }: VerifyPorts): Promise<Finding> {
  if (row.revision !== 1) return { fault: `revision ${row.revision} has no act`, rule: 'act_of_record' }
  const verify = subject.table === 'market_rating' ? verifyModelRating : verifyModelAssessment
  const fault = await before(warehouse, subject, row, (session) => verify(session, row))
  return fault === null ? { detail: 'recomputed; all fields are equal' } : { fault, rule: 'computed_again' }
}

/** Verifies a record made by an act: the act is valid, its actor is in the roster, and replaying it gives the same records. */
async function checkMade(subject: ReviewSubject, row: ReviewRow, ports: VerifyPorts): Promise<Finding> {
  const { warehouse, roster } = ports
  const { act, published } = await actOf(subject, row, warehouse)
  if (act === null) return { fault: `there is no act ${row.act_id}`, rule: 'act_of_record' }
  const broken = checkAct(subject, act, published)
  if (broken !== null) return { fault: broken.detail, rule: broken.rule }
  const stranger = rosterFault(act, roster)
  if (stranger !== null) return { fault: stranger, rule: 'act_roster' }
  const fault = await before(warehouse, subject, act, (session) => actFault(session, subject, act))
  return fault === null
    ? { detail: `${act.act} by ${act.actor_id}: signed, and decided again the same` }
    : { fault, rule: 'act_decided_again' }
}

/** Decides an act again. @param session as of the last instant before it was recorded */
async function actFault(session: ReadSession, subject: ReviewSubject, row: Row): Promise<string | null> {
  const { act_id: _id, ...act } = parseAct(String(row.signed_text))
  const actor: Actor = { actor_id: String(row.actor_id), roles: (row.roles ?? []) as Actor['roles'] }
  const signature = (row.signature ?? null) as string | null
  const signer = signature === null ? null : { public_key: String(row.public_key), sign: () => signature }
  try {
    const draft = await draftOfAct(session, subject, act, { hosts: hostsOf(act.details.form) })
    const again = describeAct(subject, draft, { actor, acted_at: act.acted_at, signer })
    if (again.act_id !== row.act_id) return `it acts on ${again.act_row.signed_text}`
    return again.act_row.records === row.records ? null : `other records follow from it: ${again.act_row.records}`
  } catch (error) {
    if (isServiceError(error)) return `it would be rejected: ${error.message}`
    throw error
  }
}

/** Hosts of the sources of a form. The list of hosts may change later; that they were listed is checked with the act. */
function hostsOf(form: unknown): readonly string[] {
  const { evidence = [] } = (form ?? {}) as { readonly evidence?: readonly { readonly source_uri: string }[] }
  return evidence.flatMap(({ source_uri }) => (URL.canParse(source_uri) ? [new URL(source_uri).hostname] : []))
}

function rosterFault(act: Row, rosterAt: RosterAt | null): string | null {
  if (act.actor_id === SERVICE.actor_id) return null
  const roster = rosterAt?.(toMicros(act.acted_at)) ?? null
  if (roster === null) return null
  try {
    const member = memberOfKey(roster, String(act.public_key), toMicros(act.acted_at))
    return member.actor_id === act.actor_id ? null : `its key is of ${member.actor_id}`
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

async function revisionsOf(subject: ReviewSubject, record_id: string, warehouse: Warehouse): Promise<ReviewRow[]> {
  const places = { rows: `${subject.table}_history`, id: subject.id_field }
  const query = readSql(import.meta.url, 'sql/records_of_chain.sql', places)
  const rows = await withSession(warehouse, subject, (session) => session.query(query, { id: record_id }))
  if (rows.length > 0) return rows as ReviewRow[]
  throw new ServiceError(subject.not_found, `there is no ${subject.id_field} ${record_id}`, { record_id })
}

async function actOf(subject: ReviewSubject, row: ReviewRow, warehouse: Warehouse) {
  return withSession(warehouse, subject, async (session) => {
    const params = { act_id: String(row.act_id) }
    const [act] = await session.query(readSql(import.meta.url, 'sql/act_by_id.sql'), params)
    const query = readSql(import.meta.url, 'sql/records_of_act.sql', { rows: `${subject.table}_history` })
    const rows = (await session.query(query, params)) as ReviewRow[]
    return { act: act ?? null, published: new Map(rows.map((one) => [recordIdOf(subject, one), one])) }
  })
}

/** With what was known at the last instant before a row was published. */
async function before<T>(
  warehouse: Warehouse,
  { table }: ReviewSubject,
  row: Row,
  work: (session: ReadSession) => Promise<T>,
): Promise<T> {
  const as_of = toMicros(row.published_at) - 1
  const session = await openReadSession(warehouse, {
    as_of,
    tables: [table, 'assessment_act', 'hazard_alert'],
    pin: false,
  })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}
