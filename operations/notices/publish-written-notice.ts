import { rosterInForce } from '../../pipelines/governance/proposal.ts'
import { ownerOfKey, type Roster } from '../../pipelines/governance/roster.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import { type NoticeAct, noticeActor, noticeActText, parseNoticeAct } from '../../pipelines/notices/notice-act.ts'
import { noticeDetails, noticeOfAct, writtenNoticeId } from '../../pipelines/notices/notice-form.ts'
import type { SignedAct } from '../../pipelines/review/signed-act.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { advanceGovernance } from '../governance/advance-governance.ts'
import { governedRoster, readGovernance } from '../governance/read-governance.ts'
import { openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { checkSignature } from '../review/perform-signed-act.ts'
import { readInput } from '../review/read-input.ts'
import { attemptOfText, onRecord } from '../review/record-refusal.ts'
import type { Signer } from '../review/signing.ts'
import { checkNamed } from './check-named.ts'
import { appendNotices } from './publish-notices.ts'
import { readNotices } from './read-notices.ts'

/** Returns the roster in force. @throws {ServiceError} REVIEW_STATE_CONFLICT: the home is not governed */
export async function officeRoster(warehouse: Warehouse): Promise<Roster> {
  const governance = await readGovernance(warehouse)
  if (rosterInForce(governance.state) !== null) return governedRoster(governance)!
  const message = 'roster is missing; allowed: notices and complaints of a home with a roster in force'
  throw new ServiceError('REVIEW_STATE_CONFLICT', message, { field: 'roster' })
}

/** Returns an act of the owner of a key, signed. */
export async function signNoticeAct(
  warehouse: Warehouse,
  signer: Signer,
  act: Pick<NoticeAct, 'act' | 'subject_id' | 'details'>,
): Promise<SignedAct> {
  const actor_id = ownerOfKey(await officeRoster(warehouse), signer.public_key) ?? 'unknown'
  const signed_text = noticeActText({ ...act, actor_id, acted_at: await warehouse.now() })
  return { signed_text, public_key: signer.public_key, signature: signer.sign(signed_text) }
}

/** Performs what is due, as every act does first, and returns the signed act that publishes the notice of a file. */
export async function noticeActOfFile(warehouse: Warehouse, signer: Signer, file: string): Promise<SignedAct> {
  await advanceGovernance(warehouse)
  const details = noticeDetails(await readInput(file), file)
  return signNoticeAct(warehouse, signer, { act: 'publish_notice', subject_id: writtenNoticeId(details), details })
}

/** A notice of a member; one that was published before is not new. */
type WrittenNotice = { readonly notice: Notice; readonly is_new: boolean }

/**
 * Publishes a notice that a member has signed. A repeated one has no further effect. A refusal is recorded.
 * @returns the notice, and whether it is new
 * @throws {ServiceError} REVIEW_NOT_ALLOWED, REVIEW_STATE_CONFLICT, VALIDATION_DEFINITION_INVALID, GOVERNANCE_NOT_FOUND
 */
export async function publishWrittenNotice(warehouse: Warehouse, signed: SignedAct): Promise<WrittenNotice> {
  const roster = await officeRoster(warehouse)
  const recorded = onRecord(warehouse, () => attemptOfText('governance', signed, roster, parseNoticeAct))
  return recorded(async () => {
    const act = parseNoticeAct(signed.signed_text)
    checkSignature(signed)
    const guard = await openAppendGuard(warehouse, ['governance_notice'])
    const known = await readNotices(warehouse)
    const recorded_at = await warehouse.now()
    const notice = decideNotice(act, { public_key: signed.public_key, roster, recorded_at }, known)
    if (known.some(({ notice_id }) => notice_id === notice.notice_id)) return { notice, is_new: false }
    await checkNamed(warehouse, notice)
    try {
      const count = await appendNotices(guard, [writtenRow(notice, act, signed)])
      return { notice, is_new: count > 0 }
    } catch (error) {
      // The same notice was published meanwhile.
      if (!(error instanceof PlanOvertaken)) throw error
      return { notice, is_new: false }
    }
  })
}

/** Returns the notice of an act that its actor may perform. @throws {ServiceError} as publishWrittenNotice */
export function decideNotice(
  act: NoticeAct,
  by: { readonly public_key: string; readonly roster: Roster; readonly recorded_at: Micros },
  known: readonly { readonly notice_id: string }[],
): Notice {
  if (act.act !== 'publish_notice')
    throw new ServiceError('REVIEW_STATE_CONFLICT', `act is ${act.act}; allowed: publish_notice`, { act: act.act })
  noticeActor(by.roster, { act, public_key: by.public_key, recorded_at: by.recorded_at })
  return noticeOfAct(act, new Set(known.map(({ notice_id }) => notice_id)))
}

/** Returns the row of a notice that a member signed. */
export function writtenRow(notice: Notice, { actor_id, acted_at }: NoticeAct, signed: SignedAct): Row {
  return { ...notice, ...signed, actor_id, acted_at: formatMicros(acted_at) }
}
