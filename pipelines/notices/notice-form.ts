import Type, { type Static } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { deriveId } from '../../primitives/ids.ts'
import { canonicalInstant, toMicros } from '../../primitives/instants.ts'
import { plainLines, plainText } from '../../primitives/plain-text.ts'
import { NOTICE_KINDS } from '../../vocabulary/notices.ts'
import { At, CLOSED, Name, orNull, Text } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { EMPTY, type Notice } from './notice.ts'
import type { NoticeAct } from './notice-act.ts'

/** Kinds that members write; outcomes of complaints follow from the act that resolves one, and drift from decisions. */
const WRITTEN_KINDS = NOTICE_KINDS.filter((kind) => kind !== 'complaint_outcome' && kind !== 'drift')

const Line = Type.String({ minLength: 1, maxLength: 200, description: 'one line of 1 to 200 characters' })
const ChangeForm = Type.Object(
  { record_id: Name, at: Type.Optional(orNull(At)), field: Name, old_value: orNull(Text), new_value: orNull(Text) },
  CLOSED,
)
const Changes = Type.Array(ChangeForm, { maxItems: 100, description: 'a list of 0 to 100 changes' })
const NoticeForm = Type.Object(
  {
    notice: Type.Object(
      {
        kind: Type.Union(
          WRITTEN_KINDS.map((kind) => Type.Literal(kind)),
          { description: WRITTEN_KINDS.join(', ') },
        ),
        title: Line,
        text: Text,
        index_id: Type.Optional(Name),
        market_id: Type.Optional(Name),
        venue_id: Type.Optional(Name),
        proposal_id: Type.Optional(Name),
        cause: Type.Optional(Line),
        effective_at: Type.Optional(At),
        starts_at: Type.Optional(At),
        ends_at: Type.Optional(At),
        corrects_notice_id: Type.Optional(Name),
        changes: Type.Optional(Changes),
      },
      CLOSED,
    ),
    // Accepted here as well: notices that were published before have their changes beside `notice`.
    changes: Type.Optional(Changes),
  },
  CLOSED,
)

/**
 * Reads a notice that a member wrote (YAML or JSON), as the details of the act that publishes it.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function noticeDetails(text: string, name: string): NoticeAct['details'] {
  return JSON.parse(canonicalJson(readForm(NoticeForm, text, name))) as NoticeAct['details']
}

/** Returns the id of a notice that a member writes: the same content is the same notice. */
export function writtenNoticeId(details: NoticeAct['details']): string {
  return deriveId('ntc', 'written', canonicalJson(details))
}

/**
 * Returns the notice that an act publishes.
 * @param known ids of the notices published before
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID, GOVERNANCE_NOT_FOUND: it corrects a notice that was not published
 */
export function noticeOfAct({ subject_id, details }: NoticeAct, known: ReadonlySet<string>): Notice {
  const form = readForm(NoticeForm, canonicalJson(details), 'notice')
  const notice_id = writtenNoticeId(details)
  if (subject_id !== notice_id) throw invalid('subject_id', subject_id, `${notice_id}, derived from the notice`)
  const { changes: _, ...notice } = form.notice
  const changes = changesOf(form)
  checkTexts(notice)
  checkContent(form)
  const { corrects_notice_id = null } = notice
  if (corrects_notice_id !== null && !known.has(corrects_notice_id))
    throw notAllowed('GOVERNANCE_NOT_FOUND', 'corrects_notice_id', corrects_notice_id, 'a published notice')
  const { index_id, market_id, venue_id, proposal_id } = notice
  return {
    ...EMPTY,
    ...notice,
    ...instantsOf(notice),
    notice_id,
    subject_id: index_id ?? market_id ?? venue_id ?? proposal_id ?? null,
    changes: changes.map(({ at = null, ...change }) => ({ ...change, at: at === null ? null : canonicalInstant(at) })),
    source_ids: [],
  }
}

type Form = Static<typeof NoticeForm>

/** Returns the changes, which a file gives once. */
function changesOf({ notice, changes }: Form): Static<typeof Changes> {
  if (notice.changes !== undefined && changes !== undefined) throw invalid('changes', 'given twice', 'notice.changes')
  return notice.changes ?? changes ?? []
}

/** Refuses control characters, and marks that turn the order of text: feeds and pages show it. */
function checkTexts({ title, text, cause }: Form['notice']): void {
  const is_plain = plainText(title) === title && plainLines(text) === text && plainText(cause ?? '') === (cause ?? '')
  if (!is_plain) throw invalid('text', JSON.stringify(title), 'title, text and cause without control characters')
}

function checkContent(form: Form): void {
  const { kind, corrects_notice_id, index_id, effective_at, starts_at, ends_at } = form.notice
  if (corrects_notice_id !== undefined && kind !== 'correction')
    throw invalid('corrects_notice_id', corrects_notice_id, 'a correction alone names a notice')
  if (kind === 'correction' && corrects_notice_id === undefined && changesOf(form).length === 0)
    throw invalid('changes', 'empty', 'old and new values, or corrects_notice_id')
  if (kind === 'cessation' && (index_id === undefined || effective_at === undefined))
    throw invalid('cessation', 'without index_id or effective_at', 'the index that ends, and when')
  if (kind === 'degraded_service' && starts_at === undefined)
    throw invalid('starts_at', 'missing', 'the beginning of the degraded service')
  if (starts_at !== undefined && ends_at !== undefined && toMicros(ends_at) < toMicros(starts_at))
    throw invalid('ends_at', ends_at, `${starts_at} or later`)
}

function instantsOf({ effective_at, starts_at, ends_at }: Form['notice']) {
  const canonical = (text: string | undefined) => (text === undefined ? null : canonicalInstant(text))
  return { effective_at: canonical(effective_at), starts_at: canonical(starts_at), ends_at: canonical(ends_at) }
}

function invalid(field: string, value: string, allowed: string) {
  return notAllowed('VALIDATION_DEFINITION_INVALID', `${field} of the notice`, value, allowed)
}
