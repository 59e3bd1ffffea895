import type { Complaint } from '../../../protocol/resources/notice.ts'
import { urlOf } from '../../data/api-client.ts'
import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import { subjectLink } from '../model/complaint-words.ts'
import { shortId, spoken } from '../model/words.ts'

/** Kind and id of what a complaint is about, with a link to it. */
export function SubjectLink({ complaint }: { complaint: Pick<Complaint, 'subject_kind' | 'subject_id'> }) {
  const shown = useCell(route)
  const { subject_kind, subject_id } = complaint
  const link = subjectLink(complaint)
  if (link === null || subject_id === null) return html`<span>another matter</span>`
  const name = html`${spoken(subject_kind)} <code title=${subject_id}>${shortId(subject_id)}</code>`
  return link.kind === 'view'
    ? html`<a href=${linkTo(shown, link.change)}>${name}</a>`
    : html`<a href=${urlOf(link.path, {})} target="_blank" rel="noopener">${name}</a>`
}
