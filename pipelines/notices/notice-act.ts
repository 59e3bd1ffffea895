import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros, microsOf } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'
import { NOTICE_ACTS, type NoticeActName } from '../../vocabulary/notices.ts'
import { checkAge } from '../governance/authority.ts'
import { type Member, memberOfKey, type Roster } from '../governance/roster.ts'
import type { Value } from '../review/subject.ts'
import { notCanonical } from '../text/not-canonical.ts'

/** One act of a member on a notice or a complaint, as signed. */
export type NoticeAct = {
  readonly act: NoticeActName
  /** Notice or complaint. */
  readonly subject_id: string
  readonly details: Readonly<Record<string, Value>>
  readonly actor_id: string
  readonly acted_at: Micros
}

/** An act with the key that signed it, and the instant of its record by the service's clock. */
export type NoticeRequest = { readonly act: NoticeAct; readonly public_key: string; readonly recorded_at: Micros }

/** Returns the exact text that a member signs: RFC 8785. */
export function noticeActText({ acted_at, ...act }: NoticeAct): string {
  return canonicalJson({ statement: 'tidemark.notice.v1', ...act, acted_at: formatMicros(acted_at) })
}

/**
 * Parses the text of an act; the text is rebuilt from it and must be equal, so no signed content is ignored.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function parseNoticeAct(signed_text: string): NoticeAct {
  const act = actOf(signed_text)
  if (act !== null && noticeActText(act) === signed_text) return act
  throw notCanonical('signed_text', signed_text, 'the RFC 8785 form of an act of tidemark.notice.v1')
}

function actOf(text: string): NoticeAct | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const { act, subject_id, details, actor_id } = value
  const acted_at = microsOf(value.acted_at)
  const is_whole =
    NOTICE_ACTS.some((name) => name === act) &&
    typeof subject_id === 'string' &&
    isObject(details) &&
    typeof actor_id === 'string' &&
    acted_at !== null
  return is_whole ? ({ act, subject_id, details, actor_id, acted_at } as NoticeAct) : null
}

const PUBLISHERS: readonly RosterRole[] = ['committee', 'operator']
const ASSIGNERS: readonly RosterRole[] = ['committee', 'oversight', 'operator']
/** Roles of those who may handle a complaint. */
export const HANDLERS: readonly RosterRole[] = ['committee', 'oversight']

const ALLOWED: Readonly<Record<NoticeActName, readonly RosterRole[]>> = {
  publish_notice: PUBLISHERS,
  publish_complaint: PUBLISHERS,
  decline_complaint: PUBLISHERS,
  assign_complaint: ASSIGNERS,
  resolve_complaint: HANDLERS,
}

/**
 * Returns the member who acts: the key is theirs and valid, at the signature and at the record, and a role of theirs allows the act.
 * @throws {ServiceError} REVIEW_NOT_ALLOWED
 */
export function noticeActor(roster: Roster, { act, public_key, recorded_at }: NoticeRequest): Member {
  checkAge(act.acted_at, recorded_at)
  memberOfKey(roster, public_key, act.acted_at)
  const member = memberOfKey(roster, public_key, recorded_at)
  const { actor_id, roles } = member
  if (actor_id !== act.actor_id)
    throw notAllowed('REVIEW_NOT_ALLOWED', 'actor_id', act.actor_id, `${actor_id}, whose key it is`)
  if (hasRole(member, ALLOWED[act.act])) return member
  throw new ServiceError(
    'REVIEW_NOT_ALLOWED',
    `actor is ${actor_id} with the roles ${roles.join(', ')}; allowed to ${act.act}: ${ALLOWED[act.act].join(', ')}`,
    { field: 'actor', value: actor_id },
  )
}

/** Reports whether a member has one of these roles. */
export function hasRole({ roles }: Pick<Member, 'roles'>, allowed: readonly RosterRole[]): boolean {
  return roles.some((role) => allowed.includes(role))
}
