import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'

/** Line of a change summary by which a version says that a notice drafted it. */
const CLAIM = /\bdrafted by notice (ntc_\w+)/

/** Returns the notices that a version names as its author. @param definition of the version */
export function claimedNotices(definition: unknown): readonly string[] {
  const summary = isObject(definition) && Array.isArray(definition.change_summary) ? definition.change_summary : []
  return (summary as readonly unknown[]).flatMap((line) => CLAIM.exec(String(line))?.slice(1) ?? [])
}

type DraftOfNotice = { readonly notice_id: string; readonly draft?: string | null }

/**
 * Returns why a version is not the draft of a notice that it names; null: it is one, or it names none. Constituents that a selection
 * adds to a draft without any are no difference.
 * @param definition with its constituents
 */
export function claimFault(definition: unknown, notices: readonly DraftOfNotice[]): string | null {
  for (const notice_id of claimedNotices(definition)) {
    const draft = notices.find((one) => one.notice_id === notice_id)?.draft ?? null
    if (draft === null) return `it names notice ${notice_id} as its draft, and no such notice has one`
    if (!isDraft(definition, draft)) return `it names notice ${notice_id} as its draft, and differs from that draft`
  }
  return null
}

function isDraft(definition: unknown, draft: string): boolean {
  const file: unknown = JSON.parse(draft)
  const [version]: readonly unknown[] = isObject(file) && Array.isArray(file.versions) ? file.versions : []
  if (!isObject(version) || !isObject(definition)) return false
  const { constituents, ...rules } = definition
  const is_selected = version.selection !== undefined && version.constituents === undefined
  return (
    canonicalJson(is_selected ? rules : { ...rules, constituents: constituents ?? null }) === canonicalJson(version)
  )
}
