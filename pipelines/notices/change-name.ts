import { type ChangeClass, type ProposalKind, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'

/**
 * Forms of derived notices, the newest first. A published notice is derived again by the form that it was written in, so a form never
 * changes.
 *   7  a notice of degraded service says what is impaired; the state of a lasting impairment changes
 *   6  a notice of a proposal has the instant from which answers follow it; an adoption is named
 *   5  a drafted version has a name that is free; a draft that begins before it can be decided says so
 *   4  a notice of drift has every step from its draft to a proposal
 *   3  a late restatement has the range of its proposal; a correction of one level names the level once
 *   2  titles name the change: `Approved: new roster`
 *   1  titles name class and target: `Approved: roster change of roster`
 */
export const NOTICE_FORMS = [7, 6, 5, 4, 3, 2, 1] as const
export type NoticeFormVersion = (typeof NOTICE_FORMS)[number]

/** Kind of the change that makes an index a governed one; its class says nothing about that. */
export const ADOPTION = 'index_adoption'

/** Change of a record, as far as its name needs it. */
type NamedChange = { readonly kind: string; readonly change_class: string; readonly target: string }

/** Returns what a proposal changes, as a title names it. */
export function changeName(
  { kind, change_class, target }: NamedChange,
  form: NoticeFormVersion = NOTICE_FORMS[0],
): string {
  if (form === 1) return `${change_class} change of ${target}`
  if (form >= 6 && kind === (ADOPTION satisfies ProposalKind)) return `adoption of ${target} into governance`
  if (target === 'roster') return 'new roster'
  if (target === 'policy') return 'new governance policy'
  const [id, part] = target.split(':')
  if (part === 'levels') return `late restatement of ${id}`
  if (part !== undefined) return statusChange(change_class, id!)
  if (change_class === (SCHEDULED_REBALANCE satisfies ChangeClass)) return `scheduled rebalance of ${id}`
  if (target.startsWith('pol_')) return `${change_class} change of eligibility policy ${id}`
  if (target.startsWith('mth_')) return `${change_class} change of methodology ${id}`
  return `${change_class} change of ${id}`
}

function statusChange(change_class: string, index_id: string): string {
  if (change_class === ('cessation' satisfies ChangeClass)) return `end of ${index_id}`
  const is_emergency = change_class === ('emergency' satisfies ChangeClass)
  return `${is_emergency ? 'emergency ' : ''}change of the status of ${index_id}`
}
