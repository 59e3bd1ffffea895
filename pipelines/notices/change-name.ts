import { type ChangeClass, SCHEDULED_REBALANCE } from '../../vocabulary/governance.ts'

/**
 * Forms of the titles of notices about proposals, the newest first. A published title is derived again by the form that it was
 * written in, so a form never changes.
 *   2  names the change: `Approved: new roster`
 *   1  names class and target: `Approved: roster change of roster`
 */
export const TITLE_FORMS = [2, 1] as const
export type TitleForm = (typeof TITLE_FORMS)[number]

/** Change of a record, as far as its name needs it. */
type NamedChange = { readonly change_class: string; readonly target: string }

/** Returns what a proposal changes, as a title names it. */
export function changeName({ change_class, target }: NamedChange, form: TitleForm = TITLE_FORMS[0]): string {
  if (form === 1) return `${change_class} change of ${target}`
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
