import { rosterOf } from '../../pipelines/governance/documents.ts'
import type { Roster } from '../../pipelines/governance/roster.ts'
import { type Complaint, decideComplaint } from '../../pipelines/notices/complaint.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import { parseNoticeAct } from '../../pipelines/notices/notice-act.ts'
import { noticesOfOutcomes } from '../../pipelines/notices/of-complaints.ts'
import { isEd25519 } from '../../pipelines/transparency/signed-note.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type {
  Complaint as ComplaintResource,
  ComplaintWithHistory,
  Notice as NoticeResource,
} from '../../protocol/resources/notice.ts'
import type { PublicApi } from '../http/public-api.ts'
import { orUnreadable } from './answer-errors.ts'
import type { ServedGovernance } from './check-governance.ts'
import type { ServedRecord } from './check-included.ts'
import { compareShown } from './compare-shown.ts'
import { faultOfNamed, faultOfSubject, type SubjectRecords } from './complaint-subjects.ts'
import type { ReplayedGovernance } from './replay-acts.ts'
import type { Findings } from './report.ts'

/** Public records from which it follows who took part in a matter. */
export type ComplaintContext = {
  readonly as_of: string
  readonly served: ServedGovernance
  readonly replayed: ReplayedGovernance
  readonly notices: readonly NoticeResource[]
  /** Records that a complaint may be about. */
  readonly about: SubjectRecords
  readonly findings: Findings
}

/** Decides every act on every complaint again: its signature, who may perform it, and that no handler took part. @returns the records */
export async function checkComplaints(api: PublicApi, context: ComplaintContext): Promise<readonly ServedRecord[]> {
  const { as_of, findings } = context
  const complaints = await api.list<ComplaintResource>('/governance/complaints', { as_of })
  if (complaints.length > 0)
    findings.skip('complaints', 'who reviewed a rating or assessment is no public resource, nor who applied a version')
  const histories = await Promise.all(
    complaints.map(async (listed) => {
      const path = `/governance/complaints/${listed.complaint_id}`
      const shown = await orUnreadable(api.find<ComplaintWithHistory>(path, { as_of }))
      if (shown === null) {
        findings.fail('complaints', listed.complaint_id, 'it is in the list, and has no detail')
        return []
      }
      const { history, ...detail } = shown
      checkHistory(history, context)
      checkNewest({ listed, detail, newest: history.at(-1) ?? null }, findings)
      await checkSubject(api, history, context)
      return history.map((record) => recordOf(path, record))
    }),
  )
  return histories.flat()
}

/** Compares a complaint, wherever it is shown, with the last record of its history, which the log has. */
function checkNewest(
  shown: {
    readonly listed: ComplaintResource
    readonly detail: ComplaintResource
    readonly newest: ComplaintResource | null
  },
  findings: Findings,
): void {
  const { listed, detail, newest } = shown
  const { complaint_id } = listed
  if (newest === null) findings.fail('complaints', complaint_id, 'no act on it is served')
  else
    for (const [where, one] of [['the list', listed] as const, ['its detail', detail] as const]) {
      const place = { check: 'complaints', subject: `${complaint_id} in ${where}` } as const
      compareShown(place, one, { facts: newest, source: 'its history' }, findings)
    }
}

function recordOf(path: string, record: ComplaintResource): ServedRecord {
  const { complaint_id, revision, published_at } = record
  const record_id = `${complaint_id}.${revision}`
  return { kind: 'complaint', record_id, published_at, record, proof: `${path}/proof?revision=${revision}` }
}

/** Checks that the subject is a published record, and that the proposal of the outcome is about it. */
async function checkSubject(
  api: PublicApi,
  history: readonly ComplaintResource[],
  { as_of, served, notices, about, findings }: ComplaintContext,
): Promise<void> {
  for (const row of history) {
    const fault =
      row.state === 'published'
        ? await faultOfSubject(api, row, as_of)
        : row.state === 'resolved'
          ? await faultOfNamed(api, row, { as_of, states: served.states, notices, about })
          : null
    if (fault !== null) findings.fail('complaints', `${row.complaint_id}.${row.revision}`, fault)
  }
}

function checkHistory(history: readonly ComplaintResource[], context: ComplaintContext): void {
  const { findings } = context
  let before: Complaint | null = null
  for (const row of history) {
    findings.count('complaints')
    const subject = `${row.complaint_id}.${row.revision}`
    try {
      const again = decidedAgain(before, row, context)
      const field = Object.keys(again).find((name) => differ(row[name as never], again[name as keyof Complaint]))
      if (field !== undefined) findings.fail('complaints', subject, `${field} is not what its acts say`)
      if (!row.is_redacted && row.text !== null && sha256Hex(row.text) !== row.text_sha256)
        findings.fail('complaints', subject, 'text_sha256 does not match the text, and no part is marked as left out')
      if (row.state === 'resolved') checkOutcome(row, context)
      before = again
    } catch (error) {
      if (!isServiceError(error)) throw error
      findings.fail('complaints', subject, error.message)
      return
    }
  }
}

function decidedAgain(before: Complaint | null, row: ComplaintResource, context: ComplaintContext): Complaint {
  const recorded_at = toMicros(row.recorded_at, 'recorded_at')
  const [text, key, signature] = [String(row.signed_text), String(row.public_key), String(row.signature)]
  const act = parseNoticeAct(text)
  const roster = rosterAt(context.replayed, recorded_at)
  const involved = before === null ? new Set<string>() : involvedIn(before.subject_id, recorded_at, context)
  const again = decideComplaint(before, { act, public_key: key, recorded_at }, { roster, involved })
  const is_hex = /^[0-9a-f]{64}$/.test(key) && /^[0-9a-f]{128}$/.test(signature)
  if (!is_hex || !isEd25519(Buffer.from(key, 'hex'), text, Buffer.from(signature, 'hex')))
    context.findings.fail('complaints', `${row.complaint_id}.${row.revision}`, 'its act has no valid signature')
  return again
}

function rosterAt({ state }: ReplayedGovernance, at: Micros): Roster {
  const adopted = state.rosters.findLast(({ effective_from }) => effective_from <= at)
  return adopted === undefined ? { members: [], expires_at: null } : rosterOf(adopted.document)
}

/** Returns the people who took part in a matter by an instant, as far as public records say. */
function involvedIn(subject_id: string | null, by: Micros, { served, replayed, notices }: ComplaintContext) {
  if (subject_id === null) return new Set<string>()
  const named = notices.filter(({ notice_id }) => notice_id === subject_id)
  const proposals = [...replayed.state.proposals.values()].filter(
    ({ proposal_id, target }) =>
      proposal_id === subject_id ||
      target.split(':')[0] === subject_id ||
      named.some((notice) => notice.proposal_id === proposal_id),
  )
  const ids = new Set(proposals.map(({ proposal_id }) => proposal_id))
  const acts = served.acts.filter((act) => ids.has(String(act.subject_id)) && toMicros(act.recorded_at) <= by)
  const writers = named.flatMap(({ actor_id, published_at }) => (toMicros(published_at) <= by ? (actor_id ?? []) : []))
  return new Set([...acts.map(({ actor_id }) => String(actor_id)), ...writers])
}

/** Checks that the notice of an outcome says what its act says. */
function checkOutcome(row: ComplaintResource, { notices, findings }: ComplaintContext): void {
  const fact = { ...row, outcome: row.outcome!, reason: String(row.reason) }
  const [wanted] = noticesOfOutcomes([fact])
  const found = notices.find(({ notice_id }) => notice_id === wanted!.notice_id)
  const subject = `${row.complaint_id}.${row.revision}`
  if (found === undefined) {
    findings.fail('complaints', subject, 'no notice has its outcome')
    return
  }
  const field = Object.keys(wanted!).find((name) => differ(found[name as never], wanted![name as keyof Notice]))
  if (field !== undefined) findings.fail('complaints', subject, `its notice has another ${field}`)
}

function differ(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) !== canonicalJson(b ?? null)
}
